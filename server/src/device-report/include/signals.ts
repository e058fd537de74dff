// What did each signal find? The member `signals` of a report, from the stored analysis. "Not known" is said, never a default.

import type { ReportSignals } from '@ringfence/contract'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { signals } from '../../device/signals/index.ts'
import type { Signal } from '../../device/signals/signal.ts'

/** Texts repeat what a device sent, which may be long. */
const longestText = 300
const mostTexts = 20

/** Every signal that the platform has. */
export function signalsOf(list: readonly Signal[]) {
  return ({ platform, judgement: { verdicts, reasons } }: Pick<Analysis, 'platform' | 'judgement'>): ReportSignals => {
    const judged = list.filter(({ platforms }) => platforms.includes(platform))
    return Object.fromEntries(
      judged.map(({ name, secureInfo }) => {
        const verdict: unknown = Reflect.get(verdicts, name)
        if (verdict === undefined) return [name, { verdict: 'unknown', evidence: [] }]
        const complete = secureInfo?.complete?.(verdict, platform) ?? verdict
        const evidence: readonly string[] = Reflect.get(reasons, name) ?? []
        return [name, { verdict: withUnknown(secureInfo?.unknown, complete), evidence: readable(evidence) }]
      }),
    )
  }
}

export const reportSignals = signalsOf(signals)

/** `unknown` for each part that the verdict lacks. */
function withUnknown(shape: unknown, verdict: unknown): unknown {
  if (verdict === undefined) return 'unknown'
  if (!isRecord(shape) || !isRecord(verdict)) return verdict
  const names = new Set([...Object.keys(verdict), ...Object.keys(shape)])
  return Object.fromEntries(
    [...names].map((name) => [name, withUnknown(Reflect.get(shape, name), Reflect.get(verdict, name))]),
  )
}

/** Without control characters, which could forge lines of a log. */
const readable = (texts: readonly string[]) =>
  texts.slice(0, mostTexts).map((text) => text.replace(/\p{Cc}/gu, ' ').slice(0, longestText))

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null
