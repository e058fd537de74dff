// Do rotations of keys lose nothing, on two servers that answer meanwhile, and delete a key only when no row uses it?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { accountKnowledge } from '../../accounts/account-knowledge.ts'
import { keyFile } from '../../core/crypto/master-key/file.ts'
import { openKeyring } from '../../core/crypto/open-keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Row } from '../../core/storage/database.ts'
import { listKeyRotations } from '../../core/storage/keys/key-rotations.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { findTenant } from '../../core/storage/tenants.ts'
import { defaultRules } from '../../rules/defaults/default-rules.ts'
import { contextOfIdentity, profileOf, provedBy, userOf } from '../../sign-in/authentication/users.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, sdkClient, sdkClientOf } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { credentialHash, openPasskey, sealPasskey } from '../passkeys/passkey.ts'
import { invitationContext, invite } from '../people/invitation.ts'
import { emailHash, openPerson, sealPerson } from '../people/person.ts'
import { listOpenInvitations } from '../store/members.ts'
import { insertPasskey, passkeysOf } from '../store/passkeys.ts'
import { findPerson, insertPerson } from '../store/people.ts'
import { keyRotations } from './key-rotations.ts'
import { rotateMasterKey, storeKeyRetirement } from './master-key.ts'
import { sealedColumns } from './sealed-columns.ts'
import { keyStatus } from './status.ts'
import { startTenantRotation, type TenantRotations } from './tenant-key.ts'

const { deviceFingerprint, simSwapCheck } = endpoints

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('re-seals every row of a tenant while two servers answer, and deletes the old key at the end'), async (t) => {
    const [here, there] = await twoServers(t, await place(t))
    const before = await fill(here)
    const app = await createApp(here)
    const read = async (service: TestService) => assert.deepEqual(await everything(service, here, before), before)
    await startTenantRotation({ id: here.tenantId, name: 'test' }, here.parts)
    await assert.rejects(startTenantRotation({ id: here.tenantId, name: 'test' }, here.parts), /is in progress/)
    await assert.rejects(keyIsGone(here), 'the old key is there')
    const rounds = [keyRotations(here.parts), keyRotations(there.parts)]
    const steps = new Set<string>()
    for (let round = 0; round < 30; round++) {
      for (const { clock } of [here, there]) clock.advance({ seconds: 60 })
      // Each round, one server stores something; both read everything.
      const { dfrId } = await (await sdkClientOf(app, round % 2 === 0 ? here : there)).fingerprint()
      assert.ok(dfrId)
      await rounds[round % 2]!.advance()
      await rounds[(round + 1) % 2]!.advance()
      await read(here)
      await read(there)
      const { tenants } = await keyStatus(here.parts.database, here.parts.keyring)
      const rotation = tenants.find((tenant) => tenant.rotation)?.rotation
      steps.add(rotation?.step ?? 'done')
      if (!rotation) break
    }
    assert.deepEqual(
      [...steps],
      ['published', 'sealing', 'resealing', 'checking', 'done'].filter((step) => steps.has(step)),
    )
    assert.ok(steps.has('done') && steps.has('checking'), [...steps].join())
    await keyIsGone(here)
    assert.deepEqual(await versionsIn(here), [2])
    await read(here)
    await read(there)
    const [restarted] = await twoServers(t, undefined, here)
    await read(restarted)
  })

  test(it('keeps the old key while a row uses it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    const late = {
      hash: Buffer.alloc(32, 9),
      sealed: keys.seal('late', `identity ${Buffer.alloc(32, 9).toString('base64')}`),
    }
    await startTenantRotation({ id: tenantId, name: 'test' }, needs)
    const rounds = keyRotations(needs)
    const step = async () => {
      service.clock.advance({ seconds: 60 })
      await rounds.advance()
      return (await keyStatus(needs.database, needs.keyring)).tenants[0]!.rotation?.step
    }
    while ((await step()) !== 'checking');
    // A server that was paused writes what it had sealed long ago.
    await needs.database.query(
      'insert into identity (tenant_id, identity_hash, user_id, sealed, created_at, verified_at) values ($1, $2, $3, $4, 1, 1)',
      [tenantId, late.hash, 'u', late.sealed],
    )
    for (let round = 0; round < 17; round++) assert.equal(await step(), 'checking', `round ${round}`)
    const [row] = await needs.database.query<{ sealed: Uint8Array }>('select sealed from identity')
    assert.equal(row!.sealed[0], 2)
    while ((await step()) !== undefined);
    assert.equal(
      (await needs.tenantKeyring.keysOf(tenantId)).open(row!.sealed, `identity ${late.hash.toString('base64')}`),
      'late',
    )
  })

  test(it('a row that one server finds with the old key makes all of them wait again'), async (t) => {
    const servers = await twoServers(t, await place(t))
    const [finder, other] = servers
    const { parts: needs, tenantId } = finder
    const hash = Buffer.alloc(32, 9)
    const sealed = (await needs.tenantKeyring.keysOf(tenantId)).seal('late', contextOfIdentity(hash))
    await startTenantRotation({ id: tenantId, name: 'test' }, needs)
    const [ofFinder, ofOther] = servers.map((server) => keyRotations(server.parts)) as [
      TenantRotations,
      TenantRotations,
    ]
    const stepOf = async () => (await listKeyRotations(needs.database))[0]?.step
    const pass = (seconds: number) => {
      for (const { clock } of [finder, other]) clock.advance({ seconds })
    }
    while ((await stepOf()) !== 'checking') {
      pass(60)
      await ofFinder.advance()
    }
    await ofFinder.advance()
    await ofOther.advance()
    await needs.database.query(
      'insert into identity (tenant_id, identity_hash, user_id, sealed, created_at, verified_at) values ($1, $2, $3, $4, 1, 1)',
      [tenantId, hash, 'u', sealed],
    )
    pass(900)
    await ofFinder.advance()
    await ofOther.advance()
    assert.equal(await stepOf(), 'checking')
    await ofFinder.advance()
    pass(900)
    await ofOther.advance()
    assert.equal(await stepOf(), undefined)
  })

  test(it('a server that ends its pass late deletes no key of the next rotation'), async (t) => {
    const [here, late] = await twoServers(t, await place(t))
    const { id, name } = { id: here.tenantId, name: 'test' }
    await startTenantRotation({ id, name }, here.parts)
    const rounds = keyRotations(here.parts)
    const stepOf = async () => (await listKeyRotations(here.parts.database))[0]?.step
    let next: Promise<void> | undefined
    const lateRounds = keyRotations({
      ...late.parts,
      database: {
        ...late.parts.database,
        // Between the pass of the late server and its last transaction, the other one is faster.
        transaction: async (work, timeoutMs) => {
          if ((await stepOf()) === 'checking') {
            await rounds.advance()
            next = startTenantRotation({ id, name }, here.parts)
            await next
          }
          return late.parts.database.transaction(work, timeoutMs)
        },
      },
    })
    while ((await stepOf()) !== 'checking') {
      for (const { clock } of [here, late]) clock.advance({ seconds: 60 })
      await rounds.advance()
      await lateRounds.advance()
    }
    await rounds.advance()
    await lateRounds.advance()
    for (const { clock } of [here, late]) clock.advance({ seconds: 900 })
    await lateRounds.advance()
    assert.ok(next)
    const { sealedKeys } = (await findTenant(here.parts.database, id))!
    const { dataKeys, sealsWith } = here.parts.keyring.openTenantKeySet(id, sealedKeys)
    assert.deepEqual([[...dataKeys.keys()], sealsWith, await stepOf()], [[2, 3], 2, 'published'])
  })

  test(it('goes on when the clock is set back between two steps'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    await startTenantRotation({ id: tenantId, name: 'test' }, needs)
    const rounds = keyRotations(needs)
    const step = async (by: { hours?: number; seconds?: number }) => {
      service.clock.advance(by)
      await rounds.advance()
      return (await keyStatus(needs.database, needs.keyring)).tenants[0]!.rotation?.step
    }
    assert.equal(await step({}), 'published')
    assert.equal(await step({ hours: -26 }), 'published')
    assert.equal(await step({ seconds: 59 }), 'published', 'the other servers have not seen it for a minute')
    assert.equal(await step({ seconds: 1 }), 'sealing')
  })

  test(it('rotates the master key under running servers, which need no restart'), async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'ringfence-keys-'))
    atEnd(t, () => rm(folder, { recursive: true }))
    const masterKeyFile = join(folder, 'master.key')
    const service = await startTestService(t, await open(t), { settings: { masterKeyFile } })
    const { database, clock } = service.parts
    await service.parts.idTokens.signingKeys.inUse()
    const before = await fill(service)
    const { keyId } = await service.parts.idTokens.signingKeys.inUse()

    const rotated = await rotateMasterKey(database, [keyFile(masterKeyFile)])
    assert.notEqual(rotated.before, rotated.after)
    service.clock.advance({ seconds: 60 })
    assert.deepEqual(await everything(service, service, before), before)
    assert.equal((await service.parts.idTokens.signingKeys.inUse()).keyId, keyId)
    const { status } = await service.post(simSwapCheck.path, { phoneNumber: '917020141726' })
    assert.equal(status, 200, 'client secrets are hashed as before')

    const dataFolder = join(folder, 'data')
    const again = await openKeyring(database, { dataFolder, masterKeyFile }, {})
    assert.equal(again.versions, 2)
    await assert.rejects(
      openKeyring(database, { dataFolder, masterKeyFile: rotated.previousIn! }, {}),
      /the master key of this store is/,
    )
    await service.parts.idTokens.signingKeys.rotate()
    const retirement = storeKeyRetirement(service.parts)
    await retirement.advance()
    service.clock.advance({ hours: -26 })
    await retirement.advance()
    assert.equal(service.parts.keyring.versions, 2)
    service.clock.advance({ seconds: 300 })
    await retirement.advance()
    assert.equal(service.parts.keyring.versions, 1, 'a clock that is set back makes nobody wait for hours')
    service.clock.advance({ hours: 26 })
    const newest = await openKeyring(database, { dataFolder, masterKeyFile }, {})
    assert.equal(newest.versions, 1)
    const keys = await tenantKeyring(database, newest, clock).keysOf(service.tenantId)
    assert.ok(keys.seal('x', 'y'))
    assert.deepEqual(await everything(service, service, before), before)
  })

  test(it('a rotation of the master key that is killed is made again'), async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'ringfence-keys-'))
    atEnd(t, () => rm(folder, { recursive: true }))
    const masterKeyFile = join(folder, 'master.key')
    const service = await startTestService(t, await open(t), { settings: { masterKeyFile } })
    const provider = keyFile(masterKeyFile)
    await provider.writer!.add() // the first step of the call that was killed
    const { after } = await rotateMasterKey(service.parts.database, [provider])
    assert.equal((await provider.keys()).length, 1)
    assert.equal(await provider.newest(), after)
    await chmod(masterKeyFile, 0o600)
    await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`)
    await assert.rejects(rotateMasterKey(service.parts.database, [provider]), /the master key of this store is/)
  })

  test(
    it('a store that shares the file of the master key opens after the rotation of another one, and rotates too'),
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'ringfence-keys-'))
      atEnd(t, () => rm(folder, { recursive: true }))
      const settings = { dataFolder: join(folder, 'data'), masterKeyFile: join(folder, 'master.key') }
      const [one, other] = [await open(t), await open(t)]
      for (const database of [one, other]) await openKeyring(database, settings, {})
      const rotated = await rotateMasterKey(one, [keyFile(settings.masterKeyFile)])
      await openKeyring(other, settings, {})
      const { before, after } = await rotateMasterKey(other, [keyFile(settings.masterKeyFile)])
      assert.deepEqual([before, after], [rotated.before, rotated.after])
      await rm(rotated.previousIn!)
      for (const database of [one, other]) await openKeyring(database, settings, {})
    },
  )

  test(it('knows every sealed column of the schema'), async (t) => {
    const database = await open(t)
    const found = await database.query<Row>(
      engine === 'sqlite'
        ? "select m.name as t, p.name as c from sqlite_master m, pragma_table_info(m.name) p where m.type = 'table' and p.name like 'sealed%'"
        : "select table_name as t, column_name as c from information_schema.columns where table_schema = 'public' and column_name like 'sealed%' and table_name <> 'event_other'",
    )
    const others = [
      'signing_key.sealed_private_jwk',
      'passkey.sealed',
      'person.sealed',
      'store_key.sealed_keys',
      'tenant.sealed_keys',
      'token.sealed_device',
      'token.sealed_login',
    ]
    assert.deepEqual(
      found.map(({ t: table, c: column }) => `${table}.${column}`).sort(),
      [...sealedColumns.map(({ table, column }) => `${table}.${column}`), ...others].sort(),
    )
  })
})

interface Filled {
  invitation: unknown
  person: unknown
  passkey: unknown
  dfrId: string
  userId: string
  report: unknown
  sessions: number | undefined
  user: unknown
  rules: unknown
}

async function twoServers(
  t: TestContext,
  at: string | undefined,
  like?: TestService,
): Promise<[TestService, TestService]> {
  const masterKey = like?.parts.settings.masterKey ?? randomBytes(32).toString('base64')
  const settings = { masterKey, overloadDelayMs: 60_000, appRateBurst: 1000 }
  const start = async () => {
    const database = at === undefined ? like!.parts.database : await openDatabase(at)
    if (at !== undefined) atEnd(t, () => database.close())
    return startTestService(t, database, { settings })
  }
  return [await start(), await start()]
}

async function fill(service: TestService): Promise<Filled> {
  const { parts: needs, tenantId } = service
  const { dfrId } = await (await sdkClient(service)).fingerprint()
  await service.post(deviceFingerprint.path, { dfrId, deviceType: 'WEB', userId: 'asha' })
  const identities = [{ identityType: 'EMAIL', identityValue: 'asha@example.com', verified: true }]
  const proof = { identities, profile: { name: 'Asha' } }
  const userId = await userOf(tenantId, proof, needs)
  await needs.rules.draft(tenantId, defaultRules, { by: 'test', note: 'a note' })
  const at = needs.clock.now()
  const made = { by: { id: 'client:c', name: 'Maya' }, at, keys: await needs.tenantKeyring.keysOf(tenantId) }
  const invited = { tenantId, role: 'viewer', email: 'tim@shop.example', expiresAt: at + 1e12, made }
  await invite(needs.database, invited, needs.keyring)
  const person = { name: 'Maya', email: 'maya@shop.example' }
  await insertPerson(needs.database, {
    ...{ id: 'p', lastCodeStep: 0, createdAt: at },
    emailHash: emailHash(person.email, needs.keyring),
    sealed: sealPerson('p', person, needs.keyring),
  })
  const hash = credentialHash('AAAA', needs.keyring)
  const passkey = { credentialId: 'AAAA', publicKey: 'BBBB', transports: [], backedUp: true, name: 'Phone' }
  const sealed = sealPasskey(hash, passkey, needs.keyring)
  await insertPasskey(needs.database, { credentialHash: hash, personId: 'p', sealed, counter: 0, createdAt: at })
  const filled = {
    invitation: undefined,
    person: undefined,
    passkey: undefined,
    dfrId,
    userId,
    report: undefined,
    sessions: 1,
    user: undefined,
    rules: undefined,
  }
  return everything(service, service, filled)
}

async function everything(
  by: TestService,
  { tenantId, credentials }: TestService,
  { dfrId, userId }: Filled,
): Promise<Filled> {
  const { parts: needs, post } = by
  const { status, body } = await post(deviceFingerprint.path, { dfrId, deviceType: 'WEB' }, { ...credentials })
  assert.equal(status, 200)
  const account = await accountKnowledge({ tenantId, userId: 'asha' }, needs)
  const [invited] = await listOpenInvitations(needs.database, tenantId, 0)
  const { sealed, linkHash } = invited!
  return {
    invitation: (await needs.tenantKeyring.keysOf(tenantId)).open(sealed!, invitationContext(linkHash)),
    person: openPerson((await findPerson(needs.database, 'p'))!, needs.keyring),
    passkey: openPasskey((await passkeysOf(needs.database, 'p'))[0]!, needs.keyring),
    dfrId,
    userId,
    report: body,
    sessions: account.inputOf(account.shownBy({ at: needs.clock.now() })).sessions,
    user: [await provedBy(tenantId, userId, needs), await profileOf(tenantId, userId, needs)],
    rules: [await needs.rules.changes(tenantId), await needs.rules.read(tenantId, 1)],
  }
}

/** Versions of the keys of all sealed rows of the first tenant. */
async function versionsIn({ parts: { database } }: TestService): Promise<number[]> {
  const versions = new Set<number>()
  for (const { table, column } of sealedColumns) {
    const rows = await database.query<{ sealed: Uint8Array }>(
      `select ${column} as sealed from ${table} where ${column} is not null`,
    )
    for (const { sealed } of rows) versions.add(sealed[0]!)
  }
  return [...versions]
}

async function keyIsGone({ parts: { database, keyring }, tenantId }: TestService): Promise<void> {
  const { sealedKeys } = (await findTenant(database, tenantId))!
  assert.deepEqual([...keyring.openTenantKeySet(tenantId, sealedKeys).dataKeys.keys()], [2])
}
