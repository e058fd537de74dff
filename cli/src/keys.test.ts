import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailed, commandLine } from './testing.ts'

test('lists and rotates keys, also at once, and shows nothing private', async (t) => {
  const { run } = await commandLine(t)
  assertFailed(await run(['keys', 'list']), /ringfence-data has no data/)
  await run(['init', '--tenant', 'shop'])
  assert.match((await run(['keys', 'list'])).stdout, /There are no keys yet/)
  assert.match((await run(['keys', 'rotate'])).stdout, /is the first key, so it signs from now on\./)
  assert.match((await run(['keys', 'list'])).stdout, /in use/)
  const first = JSON.parse((await run(['keys', 'rotate', '--at-once', '--json'])).stdout)
  const next = await run(['keys', 'rotate'])
  assert.match(next.stdout, /published now and signs from tomorrow\./)
  const [listed, readable] = [await run(['keys', 'list', '--json']), await run(['keys', 'list'])]
  const keys = JSON.parse(listed.stdout)
  assert.deepEqual([keys[0].keyId, keys[0].use, keys[1].use], [first.keyId, 'in use', 'next'])
  assert.deepEqual(Object.keys(keys[0]), ['keyId', 'algorithm', 'use', 'startsAt'])
  assert.match(readable.stdout, /^KEY ID +ALGORITHM +SIGNS FROM +USE\n/)
  assert.match((await run(['keys', 'rotate', '--at-once'])).stdout, /signs from now on/)
  assert.equal(JSON.parse((await run(['keys', 'list', '--json'])).stdout).length, 1)
})

test('rotates the data key of a tenant and the master key, and shows what is in progress', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const before = JSON.parse((await run(['keys', 'status', '--json'])).stdout)
  assert.deepEqual(before.tenants, [{ tenant: 'shop', sealsWith: 1, versions: [1] }])
  assert.match((await run(['keys', 'rotate', 'tenant'])).stdout, /New data keys for shop\./)
  assertFailed(await run(['keys', 'rotate', 'tenant', '--tenant', 'shop']), /a rotation of tenant shop is in progress/)
  assertFailed(await run(['keys', 'rotate', 'tenant']), /a rotation of each tenant is in progress/)
  await run(['init', '--tenant', 'bank'])
  const rest = await run(['keys', 'rotate', 'tenant'])
  assert.match(rest.stdout, /New data keys for bank\. .* whose rotation is in progress were left out\.\n$/)
  assertFailed(await run(['keys', 'rotate', 'tenant', '--tenant', 'shoe']), /tenant shoe does not exist/)
  assertFailed(await run(['keys', 'rotate', 'master', '--at-once']), /--at-once is for signing keys/)
  assert.match((await run(['keys', 'status'])).stdout, /shop +1 +2 +servers learn the new key/)
  const [{ rotation }] = JSON.parse((await run(['keys', 'status', '--json'])).stdout).tenants
  assert.match(rotation.startedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'as in the other lists')

  const rotated = await run(['keys', 'rotate', 'master'])
  assert.match(rotated.stdout, /replaces [0-9a-f]{16}\. .* The previous one is in .*master\.key\.previous-/)
  const after = JSON.parse((await run(['keys', 'status', '--json'])).stdout)
  assert.notEqual(after.masterKey, before.masterKey)
  assert.equal(after.place, `${folder}/.config/ringfence/master.key`)
  const withMasterKey = await run(['keys', 'rotate', 'master'], {
    env: { MASTER_KEY: Buffer.alloc(32).toString('base64') },
  })
  assertFailed(withMasterKey, /the master key of this store is/)
})
