// What does a backend read of an analysis? `secureInfo` (specification 2.4), and `secure_info` with its siblings (2.5).

import type { SecureInfo, SecureInfoDetail, SecureInfoResult, TokenVerification } from '@ringfence/contract'
import type { DevicePlatform } from '../../apps/app.ts'
import { withoutUnknown } from '../../json/without-unknown.ts'
import { signals } from '../signals/index.ts'
import type { Signal } from '../signals/signal.ts'
import type { Analysis } from './analyse.ts'
import { withoutDetail } from './device-info.ts'

type Judged = Pick<Analysis, 'platform' | 'judgement' | 'confidence'>

/** What a token's backend reads about the device, after a sign-in or a call of the Secure SDK. */
export interface Collected {
  /** Parts of the response of token verification. */
  readonly login: Pick<TokenVerification, 'network' | 'deviceInfo' | 'secureInfo'>
  /** The response of secure info. */
  readonly device: Omit<SecureInfoResult, 'status'>
}

/** The parts of both responses. Verdicts are returned when the app's setting `secure` is on. */
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

type Shown = Signal & Required<Pick<Signal, 'secureInfo'>>

const shownOf = (list: readonly Signal[]) => list.filter((signal): signal is Shown => signal.secureInfo !== undefined)

/** The answers of detectors that are not about this platform: a browser has no root apps, a phone no private windows. */
function notApplicableOn(platform: DevicePlatform, shown: readonly Shown[]): Readonly<Record<string, unknown>> {
  const fixed = shown.filter(({ platforms, secureInfo }) => !(secureInfo.platforms ?? platforms).includes(platform))
  return withoutUnknown(Object.fromEntries(fixed.map(({ name, secureInfo }) => [name, secureInfo.notApplicable])))
}

/** 2.5: every detector. One without an answer is absent, unless its record says what it is then. */
export function secureInfoDetailOf(list: readonly Signal[]) {
  const shown = shownOf(list)
  const unknown = withoutUnknown(Object.fromEntries(shown.map(({ name, secureInfo }) => [name, secureInfo.unknown])))
  const notApplicable = {
    WEB: notApplicableOn('WEB', shown),
    IOS: notApplicableOn('IOS', shown),
    ANDROID: notApplicableOn('ANDROID', shown),
  }
  return ({ platform, judgement: { verdicts }, confidence }: Judged): SecureInfoDetail => {
    const answered: Record<string, unknown> = {}
    for (const { name, secureInfo } of shown) {
      const verdict: unknown = Reflect.get(verdicts, name)
      if (verdict !== undefined) answered[name] = secureInfo.complete?.(verdict, platform) ?? verdict
    }
    const { suspectScore } = verdicts
    return {
      ...unknown,
      ...answered,
      ...(suspectScore && { suspectScore }),
      ...(confidence && { confidence }),
      ...notApplicable[platform],
    }
  }
}

/** 2.4: without the detectors, and the parts of detectors, that only 2.5 lists. */
export function secureInfoOf(list: readonly Signal[]) {
  const detailOf = secureInfoDetailOf(list)
  const shown = new Map(shownOf(list).map(({ name, secureInfo }) => [name, secureInfo]))
  return (judged: Judged): SecureInfo => {
    const entries = Object.entries(detailOf(judged)).filter(([name]) => shown.get(name)?.returnedBy !== 'secure-info')
    return Object.fromEntries(entries.map(([name, detail]) => [name, shown.get(name)?.shorten?.(detail) ?? detail]))
  }
}

export const secureInfoDetail = secureInfoDetailOf(signals)
export const secureInfo = secureInfoOf(signals)
