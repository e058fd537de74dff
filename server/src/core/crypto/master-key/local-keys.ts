// How does a master key that this process can read wrap the key of the store? With AES-256-GCM, under a key derived from it.

import { createSecretKey, hkdfSync } from 'node:crypto'
import { open, seal } from '../sealed-text.ts'
import type { MasterKeyProvider, WrappedKey } from './provider.ts'

const context = 'store key'
const keyText = /^[A-Za-z0-9+/_-]{43}=?$/

/** The keys in a text, the newest first: base64, separated by spaces, commas or lines. @throws Error that names `where` */
export function keysIn(text: string, where: string): Uint8Array[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) throw new Error(`${where} is empty: it must contain 32 bytes in base64`)
  return words.map((word) => {
    const key = Buffer.from(word, 'base64')
    if (key.length !== 32) throw new Error(`${where} must contain 32 bytes in base64, but contains ${key.length}`)
    if (!keyText.test(word)) throw new Error(`${where} must contain 32 bytes in base64, but contains other characters`)
    return new Uint8Array(key)
  })
}

/** An id that reveals nothing of the key. */
export const idOfKey = (key: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', key, 'ringfence', 'id of the master key', 8)).toString('hex')

/**
 * A provider whose keys are read when they are needed, so a file that changes needs no restart.
 *
 * @param retired keys that open a store, but wrap none
 */
export function localKeys(
  name: string,
  keys: () => Promise<readonly Uint8Array[]>,
  writer?: MasterKeyProvider['writer'],
  retired: () => Promise<readonly Uint8Array[]> = async () => [],
): MasterKeyProvider {
  const find = async (id: string) => {
    const isWanted = (key: Uint8Array) => idOfKey(key) === id
    return (await keys()).find(isWanted) ?? (await retired()).find(isWanted)
  }
  return {
    name,
    keys,
    find,
    async newest() {
      const [key] = await keys()
      return key && idOfKey(key)
    },
    async wrap(storeKey) {
      const [key] = await keys()
      if (!key) throw new Error(`${name} has no key`)
      return { by: idOfKey(key), wrapped: seal(wrappingKeyOf(key), storeKey, context) }
    },
    async unwrap({ by, wrapped }: WrappedKey) {
      const key = await find(by)
      return key && open(wrappingKeyOf(key), wrapped, context)
    },
    ...(writer && { writer }),
  }
}

const wrappingKeyOf = (key: Uint8Array) =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', key, 'ringfence', 'key of the store', 32)))
