// Provider `env`: the master key is in the environment, or in the configuration.

import { keysIn, localKeys } from './local-keys.ts'
import type { MasterKeyProvider } from './provider.ts'

/** `text` has one key, or during a rotation the new and the previous one. */
export function keyFromEnvironment(text: string): MasterKeyProvider {
  const keys = keysIn(text, 'MASTER_KEY')
  return localKeys('MASTER_KEY', async () => keys)
}
