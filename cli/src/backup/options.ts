// Which options do `ringfence backup` and `ringfence restore` have?

import type { PlaceOptions } from '../configuration.ts'

export const passphraseVariable = 'BACKUP_PASSPHRASE'

export interface EncryptionOptions {
  recipient?: string[]
  passphraseFile?: string
}

export interface DecryptionOptions {
  identity?: string
  passphraseFile?: string
}

export interface BackupOptions extends PlaceOptions, EncryptionOptions {
  withMasterKey?: true
  json?: true
}

export interface RestoreOptions extends PlaceOptions, DecryptionOptions {
  json?: true
}
