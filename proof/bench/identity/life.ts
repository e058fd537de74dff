// What is remembered of one simulated device, and what does it send at a visit?

import { type DeviceToken, keyInToken } from '../../../server/src/device/identity/device-token.ts'
import type { Visit as RecognisedVisit } from '../../../server/src/device/identity/recognise.ts'
import type { Group } from '../recognition/counts.ts'
import type { SimulatedDevice } from '../recognition/device.ts'
import type { Proof } from './counts.ts'

export interface Life {
  readonly index: number
  readonly account: number
  readonly device: SimulatedDevice
  readonly group: Group
  /** Of its browser profile, until the storage is cleared. */
  keyHash: Uint8Array
  /** The id of the token of its profile, as each recogniser gave it. */
  readonly tokens: Map<string, string>
  /** The device ids that the server gave it, but for private windows. */
  readonly ids: Set<string>
  installationId: string
}

export interface Asked {
  readonly life: Life
  readonly proof: Proof
  readonly isPrivate: boolean
  readonly visit: RecognisedVisit
}

/** What the server reads from the token of this installation. */
export const tokenOf = (installationId: string, keyHash: Uint8Array): DeviceToken => ({
  installationId,
  key: keyInToken(keyHash),
  text: '',
})
