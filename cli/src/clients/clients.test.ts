import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { postgresDatabases } from '@ringfence/server/testing/databases.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { assertFailed, commandLine } from '../testing.ts'

test('init creates data, tenant and client, and refuses a tenant that exists', async (t) => {
  const { folder, run } = await commandLine(t)
  const created = await run(['init', '--data', 'new/data', '--tenant', 'shop', '--json'])
  assert.equal(created.code, 0)
  assert.match(created.stdout, /^\{.*\}\n$/)
  const { tenant, clientId, clientSecret } = JSON.parse(created.stdout)
  assert.equal(tenant, 'shop')
  assert.match(clientId, /^rfc_/)
  assert.match(clientSecret, /^rfs_/)

  const [again, readable, list] = await Promise.all([
    run(['init', '--data', 'new/data', '--tenant', 'shop']),
    run(['init', '--data', 'new/data']),
    run(['clients', 'list', '--json'], { env: { DATA_FOLDER: join(folder, 'new/data') } }),
  ])
  assertFailed(again, /tenant shop already exists: choose another name with --tenant, or add a client/)
  assert.match(
    readable.stdout,
    /^Created tenant main .*\n\n {2}export RINGFENCE_URL=http:\/\/127\.0\.0\.1:8080 \\\n {4}RINGFENCE_CLIENT_ID=rfc_\w+ \\\n {4}RINGFENCE_CLIENT_SECRET=rfs_\w+\n\nStore the secret now/,
  )
  assert.equal(JSON.parse(list.stdout)[0].clientId, clientId)
  assert.match(readable.stdout, /\nStart the service: npx ringfence serve --data new\/data\n/)
  const [, words = ''] = /\nFor an SDK, create an app: npx ringfence (.*)\n$/.exec(readable.stdout) ?? []
  const app = await run(words.split(' '))
  assert.equal(app.code, 0, app.stderr)
})

test('creates, rotates and revokes clients while a server runs, which applies each change within a second or so', async (t) => {
  const { run, serve } = await commandLine(t)
  const first = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout)
  const { url } = await serve()
  const statusOf = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => {
    const headers = { clientId, clientSecret, 'content-type': 'application/json' }
    return (await fetch(`${url}/v1/telecom/portability`, { method: 'POST', headers, body: '{}' })).status
  }
  const isRefused = (status: number) => status === 401
  const isAccepted = (status: number) => status === 400

  const createRun = await run(['clients', 'create', '--tenant', 'shop', '--name', 'checkout', '--json'])
  const created = JSON.parse(createRun.stdout)
  assert.ok(isAccepted(await statusOf(created)))
  assert.ok(isAccepted(await statusOf(first)))

  const next = JSON.parse((await run(['clients', 'rotate', created.clientId, '--json'])).stdout)
  assert.equal(next.clientId, created.clientId)
  assert.ok(isAccepted(await statusOf(next)) && isAccepted(await statusOf(created)), 'both secrets are valid')

  const third = await run(['clients', 'rotate', created.clientId])
  assertFailed(third, /rfc_\w+ already has two secrets: .*revoke rfc_\w+ --older-secrets, or add --force/)
  assert.ok(isAccepted(await statusOf(created)), 'the older secret is still valid')
  const forced = await run(['clients', 'rotate', created.clientId, '--force', '--data', 'ringfence-data'])
  assert.match(forced.stdout, /\n {2}npx ringfence clients revoke rfc_\w+ --older-secrets --data ringfence-data\n$/)
  await until(() => statusOf(created), isRefused)
  const [, clientSecret = ''] = /RINGFENCE_CLIENT_SECRET=(\S+)/.exec(forced.stdout) ?? []
  const newest = { clientId: created.clientId, clientSecret }
  assert.ok(isAccepted(await statusOf(next)) && isAccepted(await statusOf(newest)), 'the two newest secrets are valid')

  const older = await run(['clients', 'revoke', created.clientId, '--older-secrets'])
  assert.match(older.stdout, /except the newest are revoked/)
  await until(() => statusOf(next), isRefused)
  assert.ok(isAccepted(await statusOf(newest)))

  const revoked = await run(['clients', 'revoke', created.clientId])
  assert.match(revoked.stdout, /is revoked/)
  await until(() => statusOf(newest), isRefused)
  assert.ok(isAccepted(await statusOf(first)), 'other clients are not affected')

  const [json, readable] = await Promise.all([run(['clients', 'list', '--json']), run(['clients', 'list'])])
  const [one, two] = JSON.parse(json.stdout)
  assert.deepEqual([one.tenant, one.name, one.liveSecrets, one.revokedAt], ['shop', 'first', 1, null])
  assert.deepEqual([two.name, two.liveSecrets], ['checkout', 0])
  assert.ok(Date.parse(two.revokedAt) >= Date.parse(two.createdAt))
  assert.match(readable.stdout, /^CLIENT ID +TENANT +TENANT ID +NAME +LIVE SECRETS +CREATED +LAST USED +REVOKED\nrfc_/)
  assert.ok(!json.stdout.includes('rfs_') && !readable.stdout.includes('rfs_'), 'no secret is listed')
})

test('says what to do when a tenant, client or folder does not exist, and creates nothing', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const [noTenant, noClient, noData, badName] = await Promise.all([
    run(['clients', 'create', '--tenant', 'shoe', '--name', 'checkout']),
    run(['clients', 'revoke', 'rfc_none']),
    run(['clients', 'list', '--data', 'mistyped']),
    run(['clients', 'create', '--tenant', 'shop', '--name', 'a\u001b[2J']),
  ])
  assertFailed(noTenant, /tenant shoe does not exist \(existing: shop\)/)
  assertFailed(noClient, /there is no client rfc_none; list all with: npx ringfence clients list/)
  assertFailed(noData, /mistyped has no data: .*--data DIR, or create one with npx ringfence init/)
  assertFailed(badName, /--name <name>.*without control characters/, 2)
  await assert.doesNotReject(mkdir(join(folder, 'mistyped')), 'the folder was not created')
})

test('init and clients work with PostgreSQL as with a data folder', async (t) => {
  const { run } = await commandLine(t)
  const env = { DATABASE_URL: await postgresDatabases.place(t) }
  const elsewhere = new URL(env.DATABASE_URL)
  elsewhere.pathname = '/mistyped'
  const noDatabase = await run(['init', '--database', elsewhere.href])
  assertFailed(noDatabase, /"mistyped" does not exist \(3D000\); create the database \(createdb .*or choose another/)
  const empty = await run(['clients', 'list'], { env })
  assertFailed(empty, /the database has no tables of Ringfence: .*ringfence init/)
  const { clientId } = JSON.parse((await run(['init', '--json'], { env })).stdout)
  const list = JSON.parse((await run(['clients', 'list', '--json'], { env })).stdout)
  assert.deepEqual([list.length, list[0].clientId, list[0].tenant], [1, clientId, 'main'])
})

test('creates a restricted client, shows and replaces its restrictions, and refuses what is none', async (t) => {
  const { run, serve } = await commandLine(t)
  await run(['init', '--tenant', 'shop', '--json'])
  const { url } = await serve()
  const create = ['clients', 'create', '--tenant', 'shop', '--name', 'checks']
  const options = ['--scope', 'telecom', '--scope', 'tokens', '--allow-ip', '127.0.0.0/8', '--expires', '90d']
  const created = JSON.parse((await run([...create, ...options, '--json'])).stdout)
  const statusOf = async (path: string) => {
    const { clientId, clientSecret } = created
    const headers = { clientId, clientSecret, 'content-type': 'application/json' }
    return (await fetch(url + path, { method: 'POST', headers, body: '{}' })).status
  }
  assert.equal(await statusOf('/v1/telecom/portability'), 400)
  assert.equal(await statusOf('/client/v1/labels'), 403)
  const shown = await run(['clients', 'list'])
  assert.match(shown.stdout, /RESTRICTED TO/)
  assert.match(shown.stdout, /telecom, tokens from 127\.0\.0\.0\/8 until \d{4}-\d\d-\d\d/)
  const listed = JSON.parse((await run(['clients', 'list', '--json'])).stdout).find(
    ({ clientId }: { clientId: string }) => clientId === created.clientId,
  )
  assert.deepEqual([listed.scopes, listed.allowedIps], [['telecom', 'tokens'], ['127.0.0.0/8']])
  assert.ok(Math.abs(Date.parse(listed.expiresAt) - Date.now() - 90 * 86_400_000) < 600_000)

  const changed = await run(['clients', 'restrict', created.clientId, '--scope', 'labels'])
  assert.match(
    changed.stdout,
    /may now: labels from 127\.0\.0\.0\/8 until 20.*\. Running servers apply this within a second/,
  )
  await until(
    () => statusOf('/client/v1/labels'),
    (status) => status === 400,
  )
  assert.equal(await statusOf('/v1/telecom/portability'), 403)
  const refused = await run(['clients', 'restrict', created.clientId])
  assertFailed(
    refused,
    /name --scope, --allow-ip, --expires or --role, or remove all restrictions with --everything/,
    2,
  )
  const freed = await run(['clients', 'restrict', created.clientId, '--everything', '--json'])
  const none = { scopes: null, allowedIps: null, expiresAt: null, role: null }
  assert.deepEqual(JSON.parse(freed.stdout), { clientId: created.clientId, ...none })
  for (const [wrong, message] of [
    [['--scope', 'everything'], /must be one of decisions, reviews, telecom, tokens/],
    [['--allow-ip', '10.0.0.0/40'], /10\.0\.0\.0\/40 is not an IP address or a block/],
    [['--expires', '2001-01-01'], /a date in the future/],
    [['--expires', 'soon'], /a number of days or hours/],
  ] as const) {
    const { code, stderr } = await run([...create, ...wrong])
    assert.equal(code, 2)
    assert.match(stderr, message)
  }
})

/** Its key id, the thumbprint (RFC 7638), begins with a dash. */
function keyPairLikeAnOption() {
  for (;;) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { crv, kty, x, y } = pair.publicKey.export({ format: 'jwk' })
    if (hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url').startsWith('-')) return pair
  }
}

test('add-key lets a client authenticate with its key pair, list shows the key, and remove-key ends it', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const { clientId } = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout)
  const { publicKey, privateKey } = keyPairLikeAnOption()
  const file = join(folder, 'public.pem')
  const privateFile = join(folder, 'private.pem')
  await writeFile(file, publicKey.export({ format: 'pem', type: 'spki' }))
  await writeFile(privateFile, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  assertFailed(await run(['clients', 'add-key', clientId, privateFile]), /private\.pem: it has the private key/)
  assertFailed(await run(['clients', 'add-key', clientId, join(folder, 'none')]), /cannot read .*none/)
  assertFailed(await run(['clients', 'add-key', 'rfc_none', file]), /there is no client rfc_none/)

  const { url } = await serve()
  const token = async () => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: clientId, sub: clientId, aud: `${url}/camara`, exp: now + 60, jti: randomUUID() }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'ES256' })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const form = {
      ...{ grant_type: 'client_credentials', scope: 'sim-swap:check' },
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${text}.${signature.toString('base64url')}`,
    }
    return (await fetch(`${url}/camara/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })).status
  }
  assert.equal(await token(), 401)
  const added = await run(['clients', 'add-key', clientId, file])
  assert.equal(added.code, 0, added.stderr)
  assert.equal(await token(), 200)
  const [listed] = JSON.parse((await run(['clients', 'list', '--json'])).stdout)
  assert.match((await run(['clients', 'list'])).stdout, /PUBLIC KEYS/)
  const [, words = ''] = /\n {2}npx ringfence (.*)\n/.exec(added.stdout) ?? []
  assert.deepEqual(words.split(' ').slice(0, 2), ['clients', 'remove-key'])
  assert.deepEqual(words.split(' ').slice(-3), ['--', clientId, listed.publicKeys[0]])
  assert.equal((await run(words.split(' '))).code, 0)
  assert.equal(await token(), 401)
  assertFailed(await run(words.split(' ')), /has no public key/)
})

test('init and the list of clients show the id of the tenant, which the configuration file needs', async (t) => {
  const { run } = await commandLine(t)
  const text = (await run(['init', '--tenant', 'shop'])).stdout
  const [, tenantId] = /^Created tenant shop \(([0-9a-f-]{36})\) with its first client/.exec(text) ?? []
  assert.ok(tenantId, text)
  assert.ok((await run(['clients', 'list'])).stdout.includes(` ${tenantId} `))
  assert.equal(JSON.parse((await run(['clients', 'list', '--json'])).stdout)[0].tenantId, tenantId)
  const other = JSON.parse((await run(['init', '--tenant', 'b', '--json'])).stdout)
  assert.match(other.tenantId, /^[0-9a-f-]{36}$/)
  assert.notEqual(other.tenantId, tenantId)
})
