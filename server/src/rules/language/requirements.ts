// What must be known before an action is allowed? What a rule set says of it, and the defaults.

export const requiredParts = ['login', 'device', 'phone'] as const
export type RequiredPart = (typeof requiredParts)[number]

/** The actions of a decision that is not allowed because something is not known. */
export const otherwiseActions = ['REVIEW', 'CHALLENGE', 'BLOCK'] as const
export type OtherwiseAction = (typeof otherwiseActions)[number]

export interface Requirements {
  /** By action of a decision. */
  readonly require: Readonly<Record<string, readonly RequiredPart[]>>
  /** For every action, or by action: CHALLENGE for those that it does not name. */
  readonly otherwise: OtherwiseAction | Readonly<Record<string, OtherwiseAction>>
  /** A payment whose challenge nobody can pass is WARN below this `params.amount`, else REVIEW. */
  readonly warnBelow: number
}

/** Keys of a rule set. */
export const requirementKeys = ['require', 'otherwise', 'warnBelow'] as const

export const defaultRequirements: Requirements = {
  require: { LOGIN: ['login', 'device'], SIGNUP: ['device'], PAYMENT: ['device', 'phone'] },
  otherwise: 'CHALLENGE',
  warnBelow: 50,
}
