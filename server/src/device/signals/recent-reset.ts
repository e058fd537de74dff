// Was the device reset shortly before, so that it forgot who it was?

import { resetTime } from './factory-reset.ts'
import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

const recentMs = 3 * 86_400_000

/** On iOS only where the keychain is new as well: a restored backup and an update make folders anew, and keep it. */
export const recentReset: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence) {
    const at = resetTime(evidence)
    if (at === undefined) return undefined
    const isRecent = evidence.now - at < recentMs
    const forgot = evidence.platform === 'ANDROID' || evidence.facts.keychainId?.isNew === true
    return { verdict: { result: isRecent && forgot }, reasons: [new Date(at).toISOString()] }
  },
}
