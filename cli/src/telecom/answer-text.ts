// How is the answer of a check shown on one line? "swapped yes, maxAgeHours 72"

/** Its texts, numbers and flags, and what a KYC match says of each field. What is deeper is in the JSON. */
export const answerText = (answer: object): string =>
  Object.entries(answer)
    .flatMap(([field, value]) => {
      if (typeof value === 'object') return comparedText(value)
      return `${field} ${typeof value === 'boolean' ? yesOrNo(value) : value}`
    })
    .join(', ')

/** "name yes, birthdate no" */
const comparedText = (results: object): string[] =>
  Object.entries(results).flatMap(([field, result]) => {
    const match: unknown = typeof result === 'object' ? result?.match : undefined
    return typeof match === 'boolean' ? [`${field} ${yesOrNo(match)}`] : []
  })

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')
