// This thread makes one slow hash at a time: Argon2id of a password, or scrypt of who was erased.

import { argon2Sync, scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { takeLowPriority } from './low-priority.ts'

/** 32 bytes each. `memoryKib`: of Argon2id, with one lane. `cost`: of scrypt, with blocks of 8. */
export type HashOrder = { readonly text: string; readonly salt: Uint8Array } & (
  | { readonly argon2id: { readonly memoryKib: number; readonly passes: number } }
  | { readonly scrypt: { readonly cost: number } }
)

export type HashReport =
  | { readonly hash: Uint8Array; readonly mistake?: undefined }
  | { readonly hash?: undefined; readonly mistake: string }

/** @throws when there is too little memory */
function slowHashSync(order: HashOrder): Buffer {
  const { text, salt } = order
  if ('scrypt' in order) return scryptSync(text, salt, 32, { N: order.scrypt.cost, r: 8, p: 1, maxmem: 64 * 2 ** 20 })
  const { memoryKib, passes } = order.argon2id
  return argon2Sync('argon2id', {
    message: text,
    nonce: salt,
    ...{ memory: memoryKib, passes, parallelism: 1, tagLength: 32 },
  })
}

if (parentPort) {
  const port = parentPort
  takeLowPriority()
  port.on('message', (order: HashOrder) => {
    const report = (message: HashReport) => port.postMessage(message)
    try {
      report({ hash: slowHashSync(order) })
    } catch (error) {
      report({ mistake: (error as Error).message })
    }
  })
}
