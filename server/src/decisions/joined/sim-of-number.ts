// Is a SIM card of the phone that of the phone number? What the device reports, compared with what is known of the number.

import type { PhoneDetail } from '@ringfence/contract'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { SimCard, SimCards } from '../../device/analysis/sim-cards.ts'
import { numberingPlansOf } from '../../phone/numbering-plan.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { Operators } from '../../telecom/operators.ts'

type OfNumber = Pick<NonNullable<RuleInput['sim']>, 'countryOfNumber' | 'operatorOfNumber'>

/** Android names the country of a card by its MCC (ITU-T E.212). These have numbers of their own, and cards with the MCC of another. */
const cardsOf: Readonly<Record<string, readonly string[]>> = {
  ...{ GF: ['GP'], MQ: ['GP'], PS: ['IL'], XK: ['MC', 'SI'] },
}

/** What is not known on one side says nothing. Countries are compared by calling code: Jersey has numbers and cards of Great Britain. */
export function simOfNumber(sim: SimCards, phone: PhoneDetail, operators: Pick<Operators, 'isServedBy'>): OfNumber {
  const { countryCode } = phone
  const plans = countryCode === undefined ? [] : numberingPlansOf(countryCode)
  const countries = plans.flatMap(({ country }) =>
    country === undefined ? [] : [country, ...(cardsOf[country] ?? [])],
  )
  const isOfCountry = ({ country }: SimCard) =>
    country === undefined || countries.length === 0 ? undefined : countries.includes(country)
  const isOfOperator = ({ networkCode }: SimCard) =>
    networkCode === undefined ? undefined : operators.isServedBy(networkCode, phone)
  return withoutUnknown({ countryOfNumber: some(sim, isOfCountry), operatorOfNumber: some(sim, isOfOperator) })
}

/** One card is enough. None is only known where the phone reports every card that is in it. */
function some({ inserted, cards }: SimCards, holds: (card: SimCard) => boolean | undefined): boolean | undefined {
  const answers = cards.map(holds)
  if (answers.includes(true)) return true
  const isComplete = inserted !== undefined && inserted > 0 && cards.length >= inserted
  return isComplete && !answers.includes(undefined) ? false : undefined
}
