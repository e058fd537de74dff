// What does a backend read of an analysis? `secureInfo` (specification 2.4), and `secure_info` with its siblings (2.5).

import type {
  DevicePlatform,
  SecureInfo,
  SecureInfoDetail,
  SecureInfoResult,
  TokenVerification,
} from '@ringfence/contract'
import { revision } from '../identity/score.ts'
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

const publishedOf = (list: readonly Signal[]) =>
  shownOf(list).filter(({ secureInfo }) => secureInfo.returnedBy !== 'rules')

const isAbout = ({ platforms, secureInfo }: Shown, platform: DevicePlatform) =>
  (secureInfo.platforms ?? platforms).includes(platform)

/** Detectors, parts of them, and scores that have an answer. A browser surely has no root apps, and a phone no private windows. */
export type KnownDetectors = { readonly [Name in keyof SecureInfoDetail]?: DeepPartial<SecureInfoDetail[Name]> }
type DeepPartial<Value> = Value extends object ? { readonly [Name in keyof Value]?: DeepPartial<Value[Name]> } : Value

/** What rules read: a detector without an answer is absent, so that a rule cannot mistake its default for a finding. */
export function knownDetectorsOf(list: readonly Signal[]) {
  const shown = shownOf(list)
  return ({ platform, judgement: { verdicts }, confidence }: Judged): KnownDetectors => {
    const known: Record<string, unknown> = {}
    for (const signal of shown) {
      const { name, secureInfo } = signal
      const verdict: unknown = Reflect.get(verdicts, name)
      if (!isAbout(signal, platform)) known[name] = secureInfo.unknown
      else if (verdict !== undefined) known[name] = secureInfo.complete?.(verdict, platform) ?? verdict
    }
    const { suspectScore } = verdicts
    return { ...known, ...(suspectScore && { suspectScore }), ...(confidence && { confidence }) }
  }
}

/** 2.5: every detector; what is not known has the value that its record gives. */
export function secureInfoDetailOf(list: readonly Signal[]) {
  const published = publishedOf(list)
  const knownOf = knownDetectorsOf(published)
  const unknown = Object.fromEntries(published.map(({ name, secureInfo }) => [name, secureInfo.unknown]))
  const defaults = { ...unknown, suspectScore: { result: 0 }, confidence: { score: 0, revision } }
  const additions = published.flatMap(({ name, secureInfo }) =>
    (secureInfo.additions ?? []).map((part) => ({ name, part })),
  )
  return (judged: Judged): SecureInfoDetail => {
    const detail = overlaid(defaults, knownOf(judged))
    for (const { name, part } of additions) {
      const { [part]: _, ...published } = detail[name] as Record<string, unknown>
      detail[name] = published
    }
    return detail as unknown as SecureInfoDetail
  }
}

/** 2.4: without the detectors, and the parts of detectors, that only 2.5 lists. */
export function secureInfoOf(list: readonly Signal[]) {
  const detailOf = secureInfoDetailOf(list)
  const shown = new Map(publishedOf(list).map(({ name, secureInfo }) => [name, secureInfo]))
  return (judged: Judged): SecureInfo => {
    const entries = Object.entries(detailOf(judged)).filter(([name]) => shown.get(name)?.returnedBy !== 'secure-info')
    const shortened = entries.map(([name, detail]) => [name, shown.get(name)?.shorten?.(detail) ?? detail])
    return Object.fromEntries(shortened) as SecureInfo
  }
}

/** The parts of `over`, and those of `base` that it lacks. */
function overlaid(base: object, over: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const below = result[name]
    result[name] = isRecord(below) && isRecord(value) ? overlaid(below, value) : value
  }
  return result
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

export const knownDetectors = knownDetectorsOf(signals)
export const secureInfoDetail = secureInfoDetailOf(signals)
export const secureInfo = secureInfoOf(signals)
