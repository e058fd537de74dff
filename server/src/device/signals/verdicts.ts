// What is the shape of each verdict? That of the contract, by the name of the detector, as far as it is known.

import type { SecureInfoDetail } from '@ringfence/contract'
import type { BotProof } from '../../bots/known-bots.ts'
import type { BotCategory } from '../../core/config/bot-settings.ts'
import type { BotControl } from './web/bot-control.ts'

type Detector<Name extends keyof SecureInfoDetail> = NonNullable<SecureInfoDetail[Name]>

/** With what the bot says it is, and whether that is proved. */
export interface BotResult extends Detector<'bot'> {
  readonly name?: string
  readonly category?: BotCategory | BotControl
  readonly proof?: BotProof
}
export type FactoryResetResult = Detector<'factoryReset'>
export type FlagResult = Detector<'privacySettings'>
/** With the names of the facts that are missing. */
export interface MissingFactsResult extends FlagResult {
  readonly facts?: readonly string[]
}
export type TamperingResult = Detector<'tampering'>
/** A method without an answer is absent, and so is an unknown time zone. */
export type VpnResult = Pick<Detector<'vpn'>, 'originCountry'> &
  Partial<Pick<Detector<'vpn'>, 'result' | 'originTimezone'>> & {
    readonly methods: Partial<Detector<'vpn'>['methods']>
  }
export type SuspectScoreResult = Detector<'suspectScore'>
