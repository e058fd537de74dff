import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { postgresDatabases } from '@ringfence/server/testing/databases.ts'
import { assertFailed, commandLine, until } from './testing.ts'

test('init makes data, tenant and client, and refuses a tenant that is there', async (t) => {
  const { folder, run } = await commandLine(t)
  const made = await run(['init', '--data', 'new/data', '--tenant', 'shop', '--json'])
  assert.equal(made.code, 0)
  assert.match(made.stdout, /^\{.*\}\n$/)
  const { tenant, clientId, clientSecret } = JSON.parse(made.stdout)
  assert.equal(tenant, 'shop')
  assert.match(clientId, /^rfc_/)
  assert.match(clientSecret, /^rfs_/)

  const [again, readable, list] = await Promise.all([
    run(['init', '--data', 'new/data', '--tenant', 'shop']),
    run(['init', '--data', 'new/data']),
    run(['clients', 'list', '--json'], { env: { DATA_FOLDER: join(folder, 'new/data') } }),
  ])
  assertFailed(again, /there is a tenant shop already/)
  assert.match(
    readable.stdout,
    /Tenant main .*\n\n {2}clientId {6}rfc_\w+\n {2}clientSecret {2}rfs_\w+\n\n.*shown this once/,
  )
  assert.equal(JSON.parse(list.stdout)[0].clientId, clientId)
})

test('clients are made, rotated and revoked beside a running server, which notices within a second or so', async (t) => {
  const { run, serve } = await commandLine(t)
  const first = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout)
  const { url } = await serve()
  const statusOf = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => {
    const headers = { clientId, clientSecret, 'content-type': 'application/json' }
    return (await fetch(`${url}/v1/telecom/portability`, { method: 'POST', headers, body: '{}' })).status
  }
  const isRefused = (status: number) => status === 401
  const isTaken = (status: number) => status === 400

  const create = await run(['clients', 'create', '--tenant', 'shop', '--name', 'checkout', '--json'])
  const made = JSON.parse(create.stdout)
  assert.ok(isTaken(await statusOf(made)))
  assert.ok(isTaken(await statusOf(first)))

  const next = JSON.parse((await run(['clients', 'rotate', made.clientId, '--json'])).stdout)
  assert.equal(next.clientId, made.clientId)
  assert.ok(isTaken(await statusOf(next)) && isTaken(await statusOf(made)), 'both secrets live')

  const third = await run(['clients', 'rotate', made.clientId])
  assertFailed(third, /two secrets of rfc_\w+ live already: .*revoke rfc_\w+ --older-secrets, or use --force/)
  assert.ok(isTaken(await statusOf(made)), 'the older one still lives')
  const forced = await run(['clients', 'rotate', made.clientId, '--force', '--data', 'ringfence-data'])
  assert.match(forced.stdout, /\n {2}npx ringfence clients revoke rfc_\w+ --older-secrets --data ringfence-data\n$/)
  await until(() => statusOf(made), isRefused)
  const [, clientSecret = ''] = /clientSecret +(\S+)/.exec(forced.stdout) ?? []
  const newest = { clientId: made.clientId, clientSecret }
  assert.ok(isTaken(await statusOf(next)) && isTaken(await statusOf(newest)), 'the two newest live')

  const older = await run(['clients', 'revoke', made.clientId, '--older-secrets'])
  assert.match(older.stdout, /but the newest are revoked/)
  await until(() => statusOf(next), isRefused)
  assert.ok(isTaken(await statusOf(newest)))

  const revoked = await run(['clients', 'revoke', made.clientId])
  assert.match(revoked.stdout, /is revoked/)
  await until(() => statusOf(newest), isRefused)
  assert.ok(isTaken(await statusOf(first)), 'others are as they were')

  const [json, readable] = await Promise.all([run(['clients', 'list', '--json']), run(['clients', 'list'])])
  const [one, two] = JSON.parse(json.stdout)
  assert.deepEqual([one.tenant, one.name, one.liveSecrets, one.revokedAt], ['shop', 'first', 1, null])
  assert.deepEqual([two.name, two.liveSecrets], ['checkout', 0])
  assert.ok(Date.parse(two.revokedAt) >= Date.parse(two.createdAt))
  assert.match(readable.stdout, /^CLIENT ID +TENANT +NAME +LIVE SECRETS +CREATED +LAST USED +REVOKED\nrfc_/)
  assert.ok(!json.stdout.includes('rfs_') && !readable.stdout.includes('rfs_'), 'no secret is listed')
})

test('what is not there is one line that says what to do, and nothing is made', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const [noTenant, noClient, noData, badName] = await Promise.all([
    run(['clients', 'create', '--tenant', 'shoe', '--name', 'checkout']),
    run(['clients', 'revoke', 'rfc_none']),
    run(['clients', 'list', '--data', 'mistyped']),
    run(['clients', 'create', '--tenant', 'shop', '--name', 'a\u001b[2J']),
  ])
  assertFailed(noTenant, /there is no tenant shoe; there is shop/)
  assertFailed(noClient, /there is no client rfc_none; ringfence clients list shows all/)
  assertFailed(noData, /there are no data in mistyped: .*--data DIR, or make one with ringfence init/)
  assertFailed(badName, /--name <name>.*without control characters/, 2)
  await assert.doesNotReject(mkdir(join(folder, 'mistyped')), 'the folder was not made')
})

test('init and clients work on PostgreSQL as on a data folder', async (t) => {
  const { run } = await commandLine(t)
  const env = { DATABASE_URL: await postgresDatabases.place(t) }
  const elsewhere = new URL(env.DATABASE_URL)
  elsewhere.pathname = '/mistyped'
  const noDatabase = await run(['init', '--database', elsewhere.href])
  assertFailed(noDatabase, /"mistyped" does not exist \(3D000\); make the database \(createdb .*or name another one/)
  const withoutKey = await run(['clients', 'list'], { env })
  assertFailed(withoutKey, /there is no master\.key in ringfence-data: .* set MASTER_KEY/)
  const { clientId } = JSON.parse((await run(['init', '--json'], { env })).stdout)
  const list = JSON.parse((await run(['clients', 'list', '--json'], { env })).stdout)
  assert.deepEqual([list.length, list[0].clientId, list[0].tenant], [1, clientId, 'main'])
})
