// What is a session of the fraud story? Who visits when and where from, with which device, to do what.

import type { ReportLabel } from '@ringfence/contract'
import type { StoryBrowser } from './browser.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
/** The story lasts four weeks. */
export const storyDays = 28

export const attacks = [
  'SIM swap',
  'SIM swap, used after eleven days',
  'forwarded calls',
  'credential stuffing',
  'automated browser',
  'card testing',
  'purchase with a stolen card',
  'stolen password, from another country',
  'stolen session, copied browser',
  'device farm',
  'mule account',
  'slow mule account',
  'gift cards with a new account',
  'stolen password, number of his own',
  'led by a call',
  'led with remote access',
  'led over another phone',
] as const
export type Attack = (typeof attacks)[number]

export type Circumstance =
  | 'usual device'
  | 'second device'
  | 'device of the family'
  | 'first visit'
  | 'new phone'
  | 'storage cleared'
  | 'travelling'
  | 'over a VPN'
  | 'counter of a shop'
  | 'rent'
  | 'after a SIM swap by a thief'
  | 'after a payment reported as fraud'
  | 'in the app'
  | 'in the app, on a call'
  | 'in the app, on a call, remote access for work'
  | 'in the app, remote access for work'
  | 'in the app, accessibility service'
  | 'in the app, screen shown'

export type IdentityType = 'MOBILE' | 'EMAIL'

export interface Payment {
  readonly amount: number
  readonly card: string
  readonly payee: string
  readonly item: 'goods' | 'gift-card'
  /** What a bank knows of its customer. */
  readonly newPayee?: true
  readonly unusualAmount?: true
}

export interface StorySession {
  /** Milliseconds since the story began. */
  readonly at: number
  readonly who: 'ordinary' | Attack
  /** Of an ordinary session. */
  readonly circumstance?: Circumstance
  readonly userId: string
  readonly phoneNumber: string
  readonly browser: StoryBrowser
  readonly clearsStorage?: boolean
  readonly address: string
  /** `code`: the visitor enters a code. `password`: the backend checks it, and issues the token. Absent: a session that is open already. */
  readonly login?: 'code' | 'password'
  readonly payment?: Payment
  /** The number that gets the code; by default that of the customer. */
  readonly codesTo?: string
  /** Where the visitor receives codes: with these a challenge can be passed. */
  readonly receives: readonly IdentityType[]
  /** What happened to the phone line before. */
  readonly line?: { readonly simChangedHoursAgo?: number; readonly isForwarding?: boolean }
  /** Rules of the guides that claim to catch this session. */
  readonly claimedBy?: readonly string[]
  /** What the backend learns later; absent: it never learns. */
  readonly label?: { readonly outcome: ReportLabel['outcome']; readonly afterMs: number }
}
