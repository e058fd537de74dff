// What is a session of the demo? Who visits when and from where, with which browser, to do what.

import type { ReportLabel } from '@ringfence/contract'
import type { DemoBrowser } from './browsers.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const demoDays = 30

export type IdentityType = 'MOBILE' | 'EMAIL'

export interface Payment {
  /** Rupees. */
  readonly amount: number
  readonly currency: 'INR'
  readonly card: string
  readonly payee: string
  readonly item: 'goods' | 'transfer' | 'gift-card'
}

export interface DemoPerson {
  readonly userId: string
  readonly phoneNumber: string
  readonly email: string
}

export interface DemoSession {
  /** Milliseconds since the month began, at midnight. */
  readonly at: number
  readonly who: DemoPerson
  readonly browser: DemoBrowser
  readonly clearsStorage?: boolean
  readonly address: string
  /** `code`: the person enters one. `password`: the shop checks it, and issues the token. Absent: a session that is open already. */
  readonly login?: 'code' | 'password'
  /** The first session of a new account. */
  readonly isSignUp?: boolean
  readonly payment?: Payment
  /** Where the visitor receives codes: with these a challenge can be passed. */
  readonly receives: readonly IdentityType[]
  /** What happened to the phone line before. */
  readonly line?: { readonly simChangedHoursAgo?: number; readonly isForwarding?: boolean }
  /** What the backend learns later; absent: it never learns. */
  readonly label?: { readonly outcome: ReportLabel['outcome']; readonly afterMs: number }
}
