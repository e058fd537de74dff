import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keySetBytes, keySetOf, newKeySet, withNewDataKey, withoutOldDataKeys } from './key-set.ts'
import { keyring, replaceableKeyring, replaceableKeys, storeKeysOf } from './keyring.ts'

const ring = keyring(Buffer.alloc(32, 1))

test('opens sealed text only with the keys of its tenant and in its context', () => {
  const wrapped = ring.makeTenantKeys('a')
  const a = ring.openTenantKeys('a', wrapped)
  const b = ring.openTenantKeys('b', ring.makeTenantKeys('b'))
  const sealed = a.seal('917020141726', 'answer')
  assert.equal(a.open(sealed, 'answer'), '917020141726')
  assert.equal(Buffer.from(sealed).includes('917020141726'), false)
  assert.throws(() => a.open(sealed, 'other'))
  assert.throws(() => b.open(sealed, 'answer'))
  assert.throws(() => a.open(sealed.subarray(0, 10), 'answer'))
  for (let bit = 0; bit < sealed.length * 8; bit += 5) {
    const flipped = Uint8Array.from(sealed)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => a.open(flipped, 'answer'), `bit ${bit}`)
  }
})

test('opens secrets of the service only with its key and in their context, never with keys of a tenant', () => {
  const sealed = ring.service.seal('a private key', 'signing key 1')
  assert.equal(ring.service.open(sealed, 'signing key 1'), 'a private key')
  assert.throws(() => ring.service.open(sealed, 'signing key 2'))
  assert.throws(() => keyring(Buffer.alloc(32, 2)).service.open(sealed, 'signing key 1'))
  assert.throws(() => ring.openTenantKeys('a', ring.makeTenantKeys('a')).open(sealed, 'signing key 1'))
})

test('seals equal texts differently, and hashes equal values alike within a tenant only', () => {
  const a = ring.openTenantKeys('a', ring.makeTenantKeys('a'))
  const b = ring.openTenantKeys('b', ring.makeTenantKeys('b'))
  assert.notDeepEqual(a.seal('x', 'y'), a.seal('x', 'y'))
  assert.deepEqual(a.hash('917020141726'), a.hash('917020141726'))
  assert.notDeepEqual(a.hash('917020141726'), b.hash('917020141726'))
})

test('names the tenant when its keys do not open', () => {
  const wrapped = ring.makeTenantKeys('a')
  assert.throws(
    () => keyring(Buffer.alloc(32, 2)).openTenantKeys('a', wrapped),
    /tenant a cannot be opened: MASTER_KEY/,
  )
  assert.throws(() => ring.openTenantKeys('b', wrapped), /tenant b cannot be opened/)
})

test('opens texts of each version, seals with the current one, and reports a version that it does not know', () => {
  const first = newKeySet()
  let reported = 0
  const keys = replaceableKeys(first, () => reported++)
  const old = keys.seal('before', 'row')
  const { set: published, version } = withNewDataKey(first)
  keys.replace(published)
  assert.equal(keys.seal('x', 'row')[0], 1)
  const sealing = { ...published, sealsWith: version }
  const ahead = replaceableKeys(sealing)
  const fresh = ahead.seal('after', 'row')
  assert.equal(fresh[0], 2)
  assert.equal(fresh.length - 'after'.length, old.length - 'before'.length)
  assert.equal(keys.open(fresh, 'row'), 'after')
  assert.deepEqual(ahead.hash('7'), keys.hash('7'))
  keys.replace(first)
  assert.throws(() => keys.open(fresh, 'row'), { name: 'UnknownKeyVersion' })
  assert.equal(reported, 1)
  ahead.replace(withoutOldDataKeys(sealing))
  assert.equal(ahead.open(fresh, 'row'), 'after')
  assert.throws(() => ahead.open(old, 'row'), { name: 'UnknownKeyVersion' })
})

test('does not accept a text whose version was changed', () => {
  const { set, version } = withNewDataKey(newKeySet())
  const keys = replaceableKeys(set)
  const sealed = keys.seal('x', 'row')
  sealed[0] = version
  assert.throws(() => keys.open(sealed, 'row'), /authenticate/)
})

test('stores one version as 64 bytes, as the first release did, and several versions so that they are read again', () => {
  const first = newKeySet()
  assert.equal(keySetBytes(first).length, 64)
  assert.deepEqual(keySetOf(keySetBytes(first)), first)
  const { set, version } = withNewDataKey(first)
  assert.deepEqual(keySetOf(keySetBytes(set)), set)
  const later = withoutOldDataKeys({ ...set, sealsWith: version })
  assert.deepEqual(keySetOf(keySetBytes(later)), later)
})

test('numbers versions from 1 to 127, and takes a number again when it is free', () => {
  let set = newKeySet()
  for (let n = 0; n < 130; n++) {
    const next = withNewDataKey(set)
    set = withoutOldDataKeys({ ...next.set, sealsWith: next.version })
  }
  assert.equal(set.sealsWith, 4)
  assert.equal(withNewDataKey({ ...newKeySet(), sealsWith: 127 }).version, 2)
})

test('a new key of the store opens what the previous one sealed, and hashes client secrets as before', () => {
  const before = storeKeysOf(new Uint8Array(32).fill(1))
  const { set, version } = withNewDataKey(before)
  const rotated = replaceableKeyring({ ...set, sealsWith: version })
  assert.deepEqual(rotated.hashSecret('s'), ring.hashSecret('s'))
  const tenant = ring.makeTenantKeys('a')
  const text = ring.openTenantKeys('a', tenant).seal('x', 'row')
  const moved = rotated.sealTenantKeySet('a', rotated.openTenantKeySet('a', tenant))
  assert.equal(rotated.openTenantKeys('a', moved).open(text, 'row'), 'x')
  assert.throws(() => ring.openTenantKeys('a', moved), { name: 'UnknownKeyVersion' })
  assert.equal(rotated.service.open(ring.service.seal('s', 'c'), 'c'), 's')
})
