import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { adminClient, callAdmin } from '../testing.ts'
import { invite } from './invitation.ts'
import { personWith } from './test-person.ts'
import { accept, browserOf, join, linkFor, linkIn } from './testing.ts'

type Answer = { status: number; body: { type?: string } }
const kindOf = async (answer: Promise<Answer>) => {
  const { status, body } = await answer
  return status < 300 ? 'done' : (body.type ?? '').replace('/problems/', '')
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('an admin does not become an owner by a key with the role owner'), async (t) => {
    const service = await startTestService(t, await open(t))
    const admin = await personWith(service, 'admin', 'Ada')
    const asOwner = { name: 'k', scopes: ['admin'], role: 'owner' }
    assert.equal(await kindOf(admin.call('createClient', asOwner)), 'permission-missing')
    const owner = await personWith(service, 'owner', 'Maya')
    const { clientId } = (await owner.call('createClient', asOwner)).body
    assert.equal(await kindOf(admin.call('rotateClient', { clientId })), 'permission-missing')
  })

  test(it('a stolen key gives nobody access that outlives its revocation'), async (t) => {
    const service = await startTestService(t, await open(t))
    const key = await adminClient(service, 'owner')
    const vera = await personWith(service, 'viewer', 'Vera')
    await (await personWith(service, 'owner', 'Maya')).call('createRole', { name: 'own', permissions: [] })
    const { personId } = vera
    const changes: [string, object, string?][] = [
      ['invite', { role: 'viewer' }],
      ['resetPerson', { personId }, '*'],
      ['changeRole', { personId, role: 'admin' }, '*'],
      ['createRole', { name: 'more', permissions: [] }],
      ['editRole', { name: 'own', permissions: ['people.write'] }, '*'],
    ]
    for (const [name, fields, version] of changes) {
      const headers = version === undefined ? {} : { 'if-match': version }
      assert.equal(await kindOf(key(name as never, fields, headers)), 'person-required', name)
    }
    assert.equal(await kindOf(key('removePerson', { personId }, { 'if-match': '*' })), 'done')
  })

  test(it('a key or webhook gives its maker nothing that their role keeps from them'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    await owner.call('createRole', { name: 'setup', permissions: ['keys.write', 'keys.read', 'webhooks.write'] })
    const setup = await personWith(service, 'setup', 'Sam')
    assert.equal(await kindOf(setup.call('createClient', { name: 'all' })), 'permission-missing')
    for (const scope of ['decisions', 'device', 'events', 'lists', 'tokens', 'telecom'])
      assert.equal(
        await kindOf(setup.call('createClient', { name: 'k', scopes: [scope] })),
        'permission-missing',
        scope,
      )
    const { clientId } = (await owner.call('createClient', { name: 'backend', scopes: ['events'] })).body
    assert.equal(await kindOf(setup.call('rotateClient', { clientId })), 'permission-missing')
    const hook = { url: 'https://hooks.shop.example/ringfence', types: ['*'] }
    assert.equal(await kindOf(setup.call('addWebhook', hook)), 'permission-missing')
  })

  test(it('a link for a reset ends with the next change of role'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    const admin = await personWith(service, 'admin', 'Ada')
    const { personId } = await personWith(service, 'analyst', 'Nils')
    const reset = await admin.call('resetPerson', { personId }, { 'if-match': '*' })
    const link = linkIn(reset.body)
    const stranger = browserOf(service)
    assert.equal((await stranger.call('openInvitation', { link })).status, 200)
    await owner.call('changeRole', { personId, role: 'owner' }, { 'if-match': '*' })
    assert.equal(await kindOf(stranger.call('openInvitation', { link })), 'invitation-unknown')
  })

  test(it('a link gives nothing that its maker may not give any more'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { database } = service.parts
    const admin = await personWith(service, 'admin', 'Ada')
    const { personId } = await personWith(service, 'viewer', 'Vera')
    const invited = linkIn((await admin.call('invite', { role: 'admin' })).body)
    const reset = linkIn((await admin.call('resetPerson', { personId }, { 'if-match': '*' })).body)
    const stranger = browserOf(service)
    const answers = async () => {
      const asked = [invited, reset].map((link) => kindOf(stranger.call('openInvitation', { link })))
      return Promise.all(asked)
    }
    assert.deepEqual(await answers(), ['done', 'done'])
    // Beside the calls that end such links: as a server of an older version would, or two changes at once.
    const setRole = (id: string, role: string) =>
      database.query('update person_role set role = $1 where person_id = $2', [role, id])
    await setRole(personId, 'owner')
    assert.deepEqual(await answers(), ['done', 'invitation-unknown'])
    await setRole(admin.personId, 'analyst')
    assert.deepEqual(await answers(), ['invitation-unknown', 'invitation-unknown'])
  })

  test(it('a link that a command on the server made is good for whoever it is for'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const made = {
      by: { id: 'command:root', name: 'root' },
      at: clock.now(),
      keys: await needs.tenantKeyring.keysOf(tenantId),
    }
    const link = await invite(
      needs.database,
      { tenantId, role: 'owner', expiresAt: clock.now() + 900_000, made },
      needs.keyring,
    )
    assert.equal((await accept(service, link)).personId.length, 36)
  })

  test(it('a tenant that wants its identity provider keeps nobody out of another tenant'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, clock, tenantId } = service
    const maya = await join(service, 'analyst')
    const { id: other } = await needs.tenantKeyring.createTenant('other')
    const link = await linkFor(service, 'admin', { tenantId: other })
    const { password, email, name } = {
      name: 'Maya',
      email: 'maya@shop.example',
      password: 'correct horse battery staple',
    }
    const accepted = await maya.browser.call('acceptInvitation', { link, name, email, password, code: maya.code() })
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    await needs.database.query(
      `insert into single_sign_on (tenant_id, id, issuer, enabled, listed, passwords, version, sealed)
       values ($1, 'x', 'https://id.shop.example', 1, 1, 'ownersOnly', 1, $2)`,
      [tenantId, new Uint8Array()],
    )
    clock.advance({ seconds: 30 })
    const again = await browserOf(service).call('signIn', { email, password, code: maya.code() })
    assert.deepEqual([again.status, again.body.tenant?.tenantId], [200, other], JSON.stringify(again.body))
  })

  test(it('an open live page does not keep a session alive'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { clock, parts: needs, url } = service
    const { token } = await personWith(service, 'analyst', 'Nils')
    const cookie = `${consoleCookie}=${token}`
    const ended = new AbortController()
    atEnd(t, () => ended.abort())
    const { status, body } = await fetch(new URL('/admin/v1/events/live', url), {
      headers: { cookie },
      signal: ended.signal,
    })
    assert.equal(status, 200)
    const reader = body!.getReader()
    clock.advance({ seconds: 20 * 60 })
    await needs.admin.people.actorOf(token, undefined, { isIdle: true })
    clock.advance({ seconds: 11 * 60 })
    for (;;) {
      const { done } = await reader.read()
      if (done) break
    }
    assert.equal((await callAdmin(url, 'me', {}, { cookie })).status, 401)
  })

  test(it('automatic calls of a page do not keep a session alive'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'analyst', 'Nils')
    const statuses: number[] = []
    for (const unattended of ['false', 'true', 'true']) {
      service.clock.advance({ seconds: 20 * 60 })
      statuses.push((await call('me', {}, { 'x-ringfence-unattended': unattended })).status)
    }
    assert.deepEqual(statuses, [200, 200, 401])
  })

  test(it('an answer with a secret or personal data is not stored for a repetition'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'owner', 'Maya')
    const key = { 'idempotency-key': 'once' }
    const sent = { subject: { kind: 'userId', value: 'u-1' }, reason: 'A person asked' }
    assert.equal(await kindOf(call('exportSubject', sent, key)), 'done')
    assert.equal(await kindOf(call('exportSubject', sent, key)), 'idempotency-key-in-use')
    const reveal = { kind: 'phoneNumber', id: '34600000001', reason: 'A person asked' }
    const other = { 'idempotency-key': 'twice' }
    assert.equal(await kindOf(call('reveal', reveal, other)), 'done')
    assert.equal(await kindOf(call('reveal', reveal, other)), 'idempotency-key-in-use')
  })
})
