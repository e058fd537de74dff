// What must every provider of the master key do? Its test runs these checks.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { MasterKeyProvider } from './provider.ts'

/** `open` returns a provider that has a key; `other` one with another key, or of another kind. */
export function checkProvider(
  kind: string,
  open: (t: TestContext) => Promise<MasterKeyProvider> | MasterKeyProvider,
  other: (t: TestContext) => Promise<MasterKeyProvider> | MasterKeyProvider,
): void {
  const key = new Uint8Array(32).map((_, i) => i)

  test(`${kind}: unwraps what it wrapped`, async (t) => {
    const provider = await open(t)
    const wrapped = await provider.wrap(key)
    assert.deepEqual(new Uint8Array((await provider.unwrap(wrapped))!), key)
    assert.equal(wrapped.by, await provider.newest())
    assert.equal(Buffer.from(wrapped.wrapped).includes(Buffer.from(key)), false)
  })

  test(`${kind}: does not unwrap for another master key, and refuses an altered text`, async (t) => {
    const provider = await open(t)
    const wrapped = await provider.wrap(key)
    assert.equal(await (await other(t)).unwrap(wrapped), undefined)
    const altered = Uint8Array.from(wrapped.wrapped)
    altered[altered.length - 1]! ^= 1
    await assert.rejects(provider.unwrap({ ...wrapped, wrapped: altered }))
  })
}
