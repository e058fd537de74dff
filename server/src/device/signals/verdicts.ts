// What is the shape of each verdict? That of the contract, by the name of the detector.

import type { SecureInfoDetail } from '@ringfence/contract'

type Detector<Name extends keyof SecureInfoDetail> = NonNullable<SecureInfoDetail[Name]>

export type BotResult = Detector<'bot'>
export type FactoryResetResult = Detector<'factoryReset'>
export type FlagResult = Detector<'privacySettings'>
export type TamperingResult = Detector<'tampering'>
export type VpnResult = Detector<'vpn'>
export type SuspectScoreResult = Detector<'suspectScore'>
