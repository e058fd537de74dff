// Of which phone is a key? Its first proof with an id says it. Later proofs must come with the same id.

import type { Evidence } from '../analysis/evidence.ts'
import { collectedIds, type IdKind, type PhoneId } from '../identity/phone-ids.ts'

/** What a proof is compared with. */
export interface SentIds {
  readonly ids: readonly PhoneId[]
  readonly platform: Evidence['platform']
  /** The app's setting. */
  readonly collect: Readonly<Record<string, boolean>>
}

export type Bound =
  | { readonly device: PhoneId | undefined /** The stored form of the device. */; readonly stored: string | null }
  | { readonly because: string }

/**
 * `stored` is `<kind> <device id>` of an earlier proof, or null. Ids may be absent only if the app's setting `collect` switches them
 * off. Another id that appears beside the stored one has no effect: the key stays with its device.
 */
export function boundDevice(stored: string | null, { ids, platform, collect }: SentIds): Bound {
  const collected = collectedIds(platform, collect)
  if (stored !== null) {
    const [kind, deviceId] = stored.split(' ') as [IdKind, string]
    const sent = ids.find((id) => id.kind === kind)
    if (sent) return sent.deviceId === deviceId ? { device: sent, stored } : { because: 'its key is of another device' }
    if (collected.includes(kind)) return { because: `the ${kind} id of its device is missing` }
  }
  const [device] = ids
  if (!device) return collected.length > 0 ? { because: 'no id of the device came with it' } : { device, stored }
  return { device, stored: `${device.kind} ${device.deviceId}` }
}
