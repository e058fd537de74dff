import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { adminEndpoints } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient, callAdmin } from '../testing.ts'
import { adminPerson } from '../testing-person.ts'

/** The status of a call of a backend with these credentials. */
async function statusWith(service: TestService, { clientId, clientSecret }: Record<string, string>) {
  const response = await fetch(`${service.url}/v1/lists/describe`, {
    method: 'POST',
    headers: { clientid: clientId!, clientsecret: clientSecret!, 'content-type': 'application/json' },
    body: '{}',
  })
  await response.body?.cancel()
  return response.status
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('makes a key that works, rotates it without a gap, and ends the old secret, then the key'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminPerson(service, 'admin')
    const made = await call('createClient', { name: 'checkout', scopes: ['lists', 'decisions'] })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    assert.deepEqual([...Value.Errors(adminEndpoints.createClient.answer as TSchema, made.body)], [])
    const { clientId } = made.body
    assert.equal(await statusWith(service, made.body), 200)

    const rotated = await call('rotateClient', { clientId })
    assert.equal(await statusWith(service, made.body), 200)
    assert.equal(await statusWith(service, rotated.body), 200)
    const third = await call('rotateClient', { clientId })
    assert.deepEqual([third.status, third.body.type], [409, '/problems/client-has-two-secrets'])
    const shown = async () =>
      (await call('listClients')).body.clients.find((each: { clientId: string }) => each.clientId === clientId)
    assert.equal((await shown()).liveSecrets, 2)

    assert.deepEqual((await call('revokeOlderSecrets', { clientId })).body, { revoked: true })
    assert.deepEqual((await call('revokeOlderSecrets', { clientId })).body, { revoked: false })
    assert.equal(await statusWith(service, made.body), 401)
    assert.equal(await statusWith(service, rotated.body), 200)
    assert.deepEqual((await call('revokeClient', { clientId })).body, { revoked: true })
    assert.deepEqual((await call('revokeClient', { clientId })).body, { revoked: false })
    assert.equal(await statusWith(service, rotated.body), 401)
    const after = await shown()
    assert.deepEqual([after.liveSecrets, typeof after.revokedAt, after.name], [0, 'string', 'checkout'])
    assert.equal((await call('rotateClient', { clientId })).body.type, '/problems/client-revoked')
  })

  test(it('adds public keys to a key, shows and removes them, and takes no private or weak one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminPerson(service, 'owner')
    const { clientId } = (await call('createClient', { name: 'partner', scopes: ['telecom'] })).body
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const publicKey = String(pair.publicKey.export({ format: 'pem', type: 'spki' }))
    const added = await call('addPublicKey', { clientId, publicKey })
    assert.equal(added.status, 200, JSON.stringify(added.body))
    const asJwk = JSON.stringify({ ...pair.publicKey.export({ format: 'jwk' }), kid: 'mine' })
    assert.deepEqual((await call('addPublicKey', { clientId, publicKey: asJwk })).body, added.body, 'the same key')
    const shown = async () =>
      (await call('listClients')).body.clients.find((each: { clientId: string }) => each.clientId === clientId)
    const { publicKeys } = await shown()
    assert.deepEqual(
      publicKeys.map(({ keyId }: { keyId: string }) => keyId),
      [added.body.keyId],
    )
    assert.deepEqual(
      [...Value.Errors(adminEndpoints.listClients.answer as TSchema, (await call('listClients')).body)],
      [],
    )

    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const huge = `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(4096)}`
    for (const [wrong, message] of [
      [String(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })), /has the private key/],
      [JSON.stringify(pair.privateKey.export({ format: 'jwk' })), /has the private key/],
      ['{"kty":"oct","k":"c2VjcmV0"}', /has the private key/],
      [String(weak.export({ format: 'pem', type: 'spki' })), /RSA \(2048 to 4096 bits\)/],
      ['{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}', /cannot be read/],
      ['{broken', /neither PEM nor JSON/],
      ['null', /cannot be read/],
      [huge, /publicKey/],
    ] as const) {
      const { status, body } = await call('addPublicKey', { clientId, publicKey: wrong })
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(body.detail, message)
    }
    for (let key = 1; key < 5; key++) {
      const { publicKey: other } = generateKeyPairSync('ed25519')
      const pem = String(other.export({ format: 'pem', type: 'spki' }))
      assert.equal((await call('addPublicKey', { clientId, publicKey: pem })).status, 200)
    }
    const sixth = String(generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }))
    assert.match((await call('addPublicKey', { clientId, publicKey: sixth })).body.detail, /has 5 public keys already/)

    const { keyId } = added.body
    assert.deepEqual((await call('removePublicKey', { clientId, keyId })).body, { removed: true })
    assert.deepEqual((await call('removePublicKey', { clientId, keyId })).body, { removed: false })
    assert.equal((await shown()).publicKeys.length, 4)
    await call('revokeClient', { clientId })
    assert.equal((await call('addPublicKey', { clientId, publicKey })).body.type, '/problems/client-revoked')
    // Whoever adds a key gets what the client may do.
    const powerful = (await call('createClient', { name: 'owner', role: 'owner' })).body
    const admin = await adminPerson(service, 'admin')
    const refused = await admin('addPublicKey', { clientId: powerful.clientId, publicKey })
    assert.deepEqual([refused.status, refused.body.type], [403, '/problems/permission-missing'])
  })

  test(it('no answer but the first, no list and no audit line has the secret'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const call = await adminPerson(service, 'owner')
    const made = (await call('createClient', { name: 'reports', role: 'viewer', scopes: ['admin'] })).body
    const rotated = (await call('rotateClient', { clientId: made.clientId })).body
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })
    const lines = rows.map((row) => openAuditLine(row, keys))
    assert.deepEqual(
      lines.map(({ action }) => action).filter((action) => /client/i.test(action)),
      ['createClient', 'rotateClient'],
    )
    const everything = JSON.stringify([lines, (await call('listClients')).body])
    for (const secret of [made.clientSecret, rotated.clientSecret]) assert.ok(!everything.includes(secret))
  })

  test(it('a repeated request makes no second key, and its secret is not stored for it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminPerson(service, 'owner')
    const repeat = { 'idempotency-key': 'key-of-checkout' }
    assert.equal((await call('createClient', { name: 'checkout' }, repeat)).status, 200)
    const again = await call('createClient', { name: 'checkout' }, repeat)
    assert.deepEqual([again.status, again.body.type], [409, '/problems/idempotency-key-in-use'])
    const { clients } = (await call('listClients')).body
    assert.equal(clients.filter(({ name }: { name: string }) => name === 'checkout').length, 1)
  })

  test(it('a client key makes and rotates no key, whatever its role; it may revoke one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const key = await adminClient(service, 'owner', { scopes: null })
    const person = await adminPerson(service, 'owner')
    const { clientId } = (await person('createClient', { name: 'old' })).body
    for (const [name, fields] of [
      ['createClient', { name: 'mine' }],
      ['rotateClient', { clientId }],
    ] as const) {
      const { status, body } = await key(name, fields)
      assert.deepEqual([status, body.type], [403, '/problems/person-required'], name)
    }
    assert.deepEqual((await key('revokeClient', { clientId })).body, { revoked: true })
  })

  test(it('a key never may more than who makes or rotates it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const admin = await adminPerson(service, 'admin')
    const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'owner' }
    const powerful = await needs.clients.createClient(tenantId, 'owner', restrictions)
    const owner = await adminPerson(service, 'owner')
    // The roles owner and admin have the same permissions, and still an admin must not become an owner by a key.
    assert.equal((await admin('rotateClient', { clientId: powerful.clientId })).status, 403)
    assert.equal((await owner('rotateClient', { clientId: powerful.clientId })).status, 200)
    for (const role of ['analyst', 'support', 'viewer'] as const) {
      const call = await adminPerson(service, role)
      for (const [name, fields] of [
        ['createClient', { name: 'mine' }],
        ['rotateClient', { clientId: powerful.clientId }],
        ['revokeClient', { clientId: powerful.clientId }],
      ] as const)
        assert.equal((await call(name, fields)).body.type, '/problems/permission-missing', `${role} ${name}`)
    }
    assert.match((await admin('createClient', { name: 'x', role: 'king' })).body.detail, /there is no role king/)
  })

  test(it('refuses restrictions that mean nothing, and keys of another tenant'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminPerson(service, 'owner')
    for (const [fields, detail] of [
      [{ name: 'x', allowedIps: ['10.0.0.0/99'] }, /allowedIps/],
      [{ name: 'x', allowedIps: ['10.0.0.1 10.0.0.2'] }, /one IP address or CIDR block/],
      [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, /in the future/],
      [{ name: 'x', expiresAt: 'soon' }, /expiresAt/],
      [{ name: 'x', scopes: ['everything'] }, /scopes/],
      [{ name: 'x', scopes: [] }, /scopes/],
      [{ name: 'x', scopes: ['lists'], role: 'viewer' }, /needs the scope admin/],
      [{ name: '' }, /name/],
    ] as const) {
      const { status, body } = await call('createClient', fields)
      assert.equal(status, 400, JSON.stringify(fields))
      assert.match(body.detail, detail)
    }
    const other = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await adminPerson(service, 'owner', other.id)
    const { clientId } = service.credentials
    for (const name of ['rotateClient', 'revokeOlderSecrets', 'revokeClient'] as const)
      assert.equal((await foreign(name, { clientId })).body.type, '/problems/client-not-found', name)
    assert.equal(await statusWith(service, service.credentials as never), 200)
  })

  test(it('a key ends, and counts only from its IP addresses'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminPerson(service, 'owner')
    const expiresAt = new Date(service.clock.now() + 3_600_000).toISOString()
    const ending = (await call('createClient', { name: 'ending', expiresAt })).body
    const elsewhere = (await call('createClient', { name: 'elsewhere', allowedIps: ['192.0.2.0/24'] })).body
    assert.equal(await statusWith(service, ending), 200)
    assert.equal(await statusWith(service, elsewhere), 403)
    service.clock.advance({ seconds: 3601 })
    assert.equal(await statusWith(service, ending), 401)
    const strange = await callAdmin(service.url, 'createClient', { name: 'x' })
    assert.equal(strange.status, 401)
  })
})
