// How is the answer of a check shown on one line? "swapped yes, maxAgeHours 72"

/** Its texts, numbers and flags. What is deeper, such as the fields of a KYC match, is in the JSON. */
export const answerText = (answer: object): string =>
  Object.entries(answer)
    .flatMap(([field, value]) => {
      if (typeof value === 'object') return []
      return `${field} ${typeof value === 'boolean' ? yesOrNo(value) : value}`
    })
    .join(', ')

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')
