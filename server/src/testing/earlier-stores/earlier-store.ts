// What is in a file of this folder? A store that an earlier version wrote, and what that version answered.

import type { webcrypto } from 'node:crypto'
import type { IssuedCredentials } from '../../clients/credentials.ts'
import type { SqlValue } from '../../core/storage/database.ts'

/** A value as JSON; bytes are `{ hex }`. */
export type StoredValue = Exclude<SqlValue, Uint8Array> | { readonly hex: string }

export interface EarlierStore {
  /** The commit that wrote it. */
  readonly version: string
  readonly masterKey: string
  /** Epoch milliseconds of its last write. */
  readonly now: number
  /** In the order in which they can be inserted. */
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, StoredValue>>[]>>
  readonly appId: string
  readonly client: IssuedCredentials
  readonly revokedClient: IssuedCredentials
  /** A token, and the answers of both endpoints. */
  readonly token: string
  readonly validated: unknown
  readonly secureInfo: unknown
  readonly revokedToken: string
  readonly reports: readonly { readonly dfrId: string; readonly answer: Record<string, unknown> }[]
  /** The installation of the reports. */
  readonly device: {
    readonly facts: object
    readonly headers: Readonly<Record<string, string>>
    readonly deviceId: string
    readonly deviceToken: string
    /** Null: that version knew no keys. */
    readonly privateKey: webcrypto.JsonWebKey | null
    readonly userId: string
    /** Whether that version knew the devices of a user. */
    readonly isKnown: boolean
  }
}
