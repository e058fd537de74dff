// Which SIM cards does a phone report? The first one is `sim` of the report; a decision compares all of them with the phone number.

import type { DeviceReport, Facts } from '@ringfence/contract'
import { withoutUnknown } from '../../core/json/without-unknown.ts'

export interface SimCard {
  /** "<MCC>-<MNC>", as operators are identified. */
  readonly networkCode?: string
  readonly carrier?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
}

export interface SimCards {
  readonly slots?: number
  readonly inserted?: number
  readonly cards: readonly SimCard[]
}

/** Undefined when the phone reports none of it. */
export function simCardsOf({ sim }: Facts): SimCards | undefined {
  if (!sim) return undefined
  const { slots, inserted, cards = [] } = sim
  const known = { ...withoutUnknown({ slots, inserted }), cards: cards.map(cardOf) }
  return Object.keys(known).length === 1 && cards.length === 0 ? undefined : known
}

/** What Android leaves empty, or writes in another form, is not known. */
function cardOf({ networkCode = '', carrier, country = '' }: NonNullable<NonNullable<Facts['sim']>['cards']>[number]) {
  const [, mobileCountry, mobileNetwork] = /^(\d{3})(\d{2,3})$/.exec(networkCode) ?? []
  return withoutUnknown({
    networkCode: mobileCountry && `${mobileCountry}-${mobileNetwork}`,
    carrier,
    country: /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : undefined,
  })
}

/** The member of the report: how many there are, and the first one. */
export const simOfReport = ({ cards: [first], ...counts }: SimCards): NonNullable<DeviceReport['sim']> => ({
  ...counts,
  ...first,
})
