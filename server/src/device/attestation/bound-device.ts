// Of which phone is a key? Its first proof with an id says it, and the key stays with that device.

import { type IdKind, idConfidence, idKinds, type SentId } from '../identity/phone-ids.ts'

export type Bound =
  | {
      readonly device: BoundDevice | undefined
      /** The stored form of the device. */
      readonly stored: string | null
      /** What lowers the confidence. */
      readonly because?: string
    }
  | { readonly refused: string }

export interface BoundDevice {
  readonly deviceId: string
  /** The probability that this is the phone of the first proof, by the ids that came. */
  readonly confidence: number
}

const storedForm = (kind: IdKind, deviceId: string) => `${kind} ${deviceId}`

/** Of a device, by whichever id its keys were bound to it. */
export const storedForms = (deviceId: string): string[] => idKinds.map((kind) => storedForm(kind, deviceId))

/** No other id agrees with the key. */
const confidenceOfChanged = 0.5

/**
 * `stored` is `<kind> <device id>` of an earlier proof, or null. Phones lose ids (MediaDrm fails) and change them (an update renames the
 * model), so neither takes the key from its device. An id that another phone has is a copy of the installation, and refused.
 * @param collectsIds whether the app's setting `collect` leaves any id switched on
 */
export function boundDevice(stored: string | null, ids: readonly SentId[], collectsIds: boolean): Bound {
  if (stored === null) {
    const [first] = ids
    if (!first) return collectsIds ? { refused: 'no id of the device came with it' } : { device: undefined, stored }
    return {
      device: { deviceId: first.names, confidence: first.confidence },
      stored: storedForm(first.kind, first.names),
    }
  }
  const [kind, deviceId] = stored.split(' ') as [IdKind, string]
  const sent = ids.find((id) => id.kind === kind)
  if (!sent) return { device: { deviceId, confidence: idConfidence(kind) }, stored }
  if (sent.names === deviceId) return { device: { deviceId, confidence: sent.confidence }, stored }
  const agrees = ids.find((id) => id.names === deviceId)
  if (sent.row && !(agrees && sent.isAlone)) return { refused: 'its key is of another device' }
  const confidence = agrees && !sent.row ? Math.min(agrees.confidence, sent.confidence) : confidenceOfChanged
  return { device: { deviceId, confidence }, stored, because: `the ${kind} id of its device changed` }
}
