// What does the network know of a phone that opens a URL?

/**
 * - `mobile`: over the operator's mobile data, so the operator knows the SIM
 * - `wifi`: over any other connection
 * - `foreign`: over the mobile data of another operator
 */
export const connections = ['mobile', 'wifi', 'foreign'] as const
export type Connection = (typeof connections)[number]

export interface Phone {
  /** Of its SIM: digits with country code. */
  readonly number: string
  readonly connection: Connection
  /** The subscriber has not agreed that the operator verifies the number. */
  readonly consentMissing?: boolean
  /** The operator identified the subscriber with a password or an SMS, not by the network. */
  readonly identifiedOtherwise?: boolean
}
