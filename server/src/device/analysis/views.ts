// What does a backend read of an analysis? Views that pick and name: `secureInfo` (2.4), `secure_info` and its neighbours (2.5).

import type { SecureInfo, SecureInfoDetail, SecureInfoResult, TokenVerification } from '@ringfence/contract'
import type { DevicePlatform } from '../../apps/app.ts'
import { onlyInReport } from '../signals/index.ts'
import type { Analysis } from './analyse.ts'
import { withoutDetail } from './device-info.ts'

type Judged = Pick<Analysis, 'platform' | 'judgement' | 'confidence'>

/** What a token tells of the device that a person signed in on, or of the Secure SDK alone. */
export interface Collected {
  /** Parts of the answer of token verification. */
  readonly login: Pick<TokenVerification, 'network' | 'deviceInfo' | 'secureInfo'>
  /** The answer of secure info. */
  readonly device: Omit<SecureInfoResult, 'status'>
}

/** The parts of both answers. Verdicts are told where the app's setting `secure` is on. */
export function collected(analysis: Analysis): Collected {
  const { deviceInfo, network, tellsVerdicts } = analysis
  return {
    login: {
      ...(network && { network }),
      deviceInfo: withoutDetail(deviceInfo),
      ...(tellsVerdicts && { secureInfo: secureInfo(analysis) }),
    },
    device: {
      ...(tellsVerdicts && { secure_info: secureInfoDetail(analysis) }),
      ...(network && { network_info: network }),
      device_info: deviceInfo,
    },
  }
}

const never = { result: false } as const
const ofAndroid = { rootApps: never, emulator: never, clonedApp: never } as const
const ofBrowsers = {
  incognito: false,
  bot: { result: 'notDetected' },
  privacySettings: never,
  virtualMachine: never,
  tampering: { result: false, anomalyScore: 0 },
} as const

/**
 * What a platform cannot be: a browser has no root apps, a phone no private windows. These are answered without being looked
 * for; what is looked for and was not found out is absent. (design: device.md, semantics of the detectors)
 */
const notApplicable: Readonly<Record<DevicePlatform, SecureInfoDetail>> = {
  WEB: { ...ofAndroid, jailbroken: never, frida: never, locationSpoofing: never },
  IOS: { ...ofAndroid, ...ofBrowsers, developerTools: never },
  ANDROID: { jailbroken: never, ...ofBrowsers },
}
const notApplicableMethods = {
  WEB: { auxiliaryMobile: false },
  IOS: { osMismatch: false },
  ANDROID: { osMismatch: false },
} as const

/** What the field says of a device whose last reset cannot be told. */
const factoryReset = { time: '1970-01-01T00:00:00Z', timestamp: 0 } as const

/** 2.5: every verdict, under the name of its detector. */
export function secureInfoDetail({ platform, judgement, confidence }: Judged): SecureInfoDetail {
  const verdicts: SecureInfoDetail = Object.fromEntries(
    Object.entries(judgement.verdicts).filter(([name]) => !isOnlyInReport(name)),
  )
  const { vpn } = verdicts
  return {
    factoryReset,
    ...verdicts,
    ...(vpn && { vpn: { ...vpn, methods: { ...vpn.methods, ...notApplicableMethods[platform] } } }),
    ...(confidence && { confidence }),
    ...notApplicable[platform],
  }
}

const isOnlyInReport = (name: string) => (onlyInReport as readonly string[]).includes(name)

/** 2.4: without the detectors and parts of `vpn` that only 2.5 lists. */
export function secureInfo(judged: Judged): SecureInfo {
  const { developerTools: _, virtualMachine: __, locationSpoofing: ___, vpn, ...both } = secureInfoDetail(judged)
  if (!vpn) return both
  const { originTimezone: ____, methods, ...told } = vpn
  const { auxiliaryMobile: _____, osMismatch: ______, ...methodsTold } = methods
  return { ...both, vpn: { ...told, methods: methodsTold } }
}
