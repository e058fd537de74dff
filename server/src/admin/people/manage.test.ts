import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangedPerson, Invitations, type ListedPerson, NewInvitation, People } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import type { SqlValue } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'
import { accept, browserOf, join, linkFor, linkIn, maya, password } from './testing.ts'

const tim = { name: 'Tim', email: 'tim@shop.example', password: 'another long sentence' }
const ana = { name: 'Ana', email: 'ana@shop.example', password: 'a third long sentence' }

type Browser = ReturnType<typeof browserOf>

/** What the list says about a person. */
async function listed(browser: Pick<Browser, 'call'>, { name }: { name: string }): Promise<ListedPerson> {
  const { body } = await browser.call('listPeople')
  assert.deepEqual([...Value.Errors(People as TSchema, body)], [])
  return body.people.find((person: ListedPerson) => person.name === name)
}

async function answerOf(call: Promise<{ status: number; body: { type?: string } }>) {
  const { status, body } = await call
  return status === 200 ? 'done' : body.type!.replace('/problems/', '')
}

/** The fields that name a person, and the version that was read. */
const target = ({ personId, version }: ListedPerson) => ({ personId, version })

/** A change of a person as it was read. */
const change = (
  { call }: Pick<Browser, 'call'>,
  name: 'changeRole' | 'removePerson' | 'resetPerson',
  { version, ...fields }: { personId: string; version: number; role?: string },
) => call(name, fields, { 'if-match': `"${version}"` })

async function rowsOf({ parts: needs }: TestService, table: string, personId: string): Promise<number> {
  const [row] = await needs.database.query<{ count: SqlValue }>(
    `select cast(count(*) as bigint) as count from ${table} where ${table === 'person' ? 'id' : 'person_id'} = $1`,
    [personId],
  )
  return Number(row!.count)
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('lists people with role, second factors and last sign-in'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const other = await join(service, 'analyst', tim)
    service.clock.advance({ seconds: 60 })
    const signedInAt = new Date(service.clock.now()).toISOString()
    const again = browserOf(service)
    const recoveryCode = other.recoveryCodes[0]
    assert.equal((await again.call('signIn', { email: tim.email, password: tim.password, recoveryCode })).status, 200)
    const { personId, joinedAt, lastSignInAt, ...rest } = await listed(owner.browser, tim)
    assert.equal(personId, other.personId)
    assert.equal(lastSignInAt, signedInAt)
    assert.ok(joinedAt < signedInAt)
    assert.deepEqual(rest, {
      ...{ name: 'Tim', email: tim.email, role: 'analyst', version: 1, state: 'active', isYou: false },
      secondFactors: { authenticatorApp: true, recoveryCodes: 9, passkeys: 0 },
    })
    assert.equal((await listed(owner.browser, maya)).isYou, true)
    assert.equal(await answerOf(other.browser.call('listPeople')), 'permission-missing')
  })

  test(it('a new role holds from the next call on; a stale version changes nothing'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const other = await join(service, 'viewer', tim)
    const before = target(await listed(owner.browser, tim))
    assert.equal(await answerOf(other.browser.call('listApps')), 'permission-missing')
    const changed = await change(owner.browser, 'changeRole', { ...before, role: 'analyst' })
    assert.deepEqual([...Value.Errors(ChangedPerson as TSchema, changed.body)], [])
    assert.deepEqual(changed.body, { personId: other.personId, role: 'analyst', version: 2 })
    assert.equal(await answerOf(other.browser.call('listApps')), 'done')
    assert.equal(await answerOf(change(owner.browser, 'changeRole', { ...before, role: 'support' })), 'version-changed')
    assert.equal(await answerOf(change(owner.browser, 'removePerson', before)), 'version-changed')
    assert.equal((await listed(owner.browser, tim)).role, 'analyst')
    assert.equal(
      await answerOf(change(owner.browser, 'changeRole', { ...before, version: 2, role: 'wizard' })),
      'field-invalid',
    )
  })

  test(it('only an owner makes, changes and removes an owner, and the last one stays'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const admin = await join(service, 'admin', tim)
    const [me, you] = [target(await listed(owner.browser, maya)), target(await listed(owner.browser, tim))]
    assert.equal(await answerOf(change(admin.browser, 'changeRole', { ...you, role: 'owner' })), 'role-too-high')
    assert.equal(await answerOf(change(admin.browser, 'changeRole', { ...me, role: 'viewer' })), 'role-too-high')
    assert.equal(await answerOf(change(admin.browser, 'removePerson', me)), 'role-too-high')
    assert.equal(await answerOf(change(admin.browser, 'resetPerson', me)), 'role-too-high')
    assert.equal(await answerOf(admin.browser.call('invite', { role: 'owner' })), 'role-too-high')
    assert.equal(await answerOf(change(owner.browser, 'changeRole', { ...me, role: 'admin' })), 'last-owner')
    assert.equal(await answerOf(change(owner.browser, 'removePerson', me)), 'last-owner')
    const down = await linkFor(service, 'viewer')
    const fields = { link: down, ...maya, code: owner.code() }
    assert.equal(await answerOf(owner.browser.call('acceptInvitation', fields)), 'last-owner')
    assert.equal(await answerOf(change(owner.browser, 'changeRole', { ...you, role: 'owner' })), 'done')
    assert.equal(await answerOf(change(owner.browser, 'changeRole', { ...me, role: 'viewer' })), 'done')
    assert.equal((await listed(admin.browser, maya)).role, 'viewer')
  })

  test(it('two owners who demote each other at the same moment leave one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const [one, two] = [await join(service), await join(service, 'owner', tim)]
    const [first, second] = [target(await listed(one.browser, maya)), target(await listed(one.browser, tim))]
    const answers = await Promise.all([
      answerOf(change(one.browser, 'changeRole', { ...second, role: 'viewer' })),
      answerOf(change(two.browser, 'changeRole', { ...first, role: 'viewer' })),
    ])
    assert.equal(answers.filter((answer) => answer === 'done').length, 1, answers.join())
    const call = await adminClient(service, 'owner')
    const roles = (await call('listPeople')).body.people.map(({ role }: ListedPerson) => role)
    assert.deepEqual(roles.toSorted(), ['owner', 'viewer'])
  })

  test(it('whoever is removed is out at once, and nothing of the account is left'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const admin = await join(service, 'admin', tim)
    const { url } = (await admin.browser.call('invite', { role: 'viewer' })).body
    assert.equal(
      await answerOf(change(owner.browser, 'removePerson', target(await listed(owner.browser, tim)))),
      'done',
    )
    assert.equal(await answerOf(admin.browser.call('me')), 'not-signed-in')
    for (const table of ['person', 'person_role', 'recovery_code', 'console_session'])
      assert.equal(await rowsOf(service, table, admin.personId), 0, table)
    const signedIn = browserOf(service).call('signIn', { email: tim.email, password: tim.password, code: admin.code() })
    assert.equal(await answerOf(signedIn), 'console-sign-in-failed')
    assert.equal(
      await answerOf(owner.browser.call('openInvitation', { link: linkIn({ url }) })),
      'invitation-unknown',
      'links that the person made end too',
    )
    assert.equal(
      await answerOf(change(owner.browser, 'removePerson', { personId: admin.personId, version: 1 })),
      'person-unknown',
    )
  })

  test(it('a person of two tenants is managed in each on its own'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs } = service
    const second = await needs.tenantKeyring.createTenant('second')
    const owner = await join(service)
    const both = await join(service, 'analyst', tim)
    const link = await linkFor(service, 'viewer', { tenantId: second.id })
    const accepted = await both.browser.call('acceptInvitation', { link, ...tim, code: both.code() })
    assert.equal(accepted.status, 200)
    const row = target(await listed(owner.browser, tim))
    assert.equal(await answerOf(change(owner.browser, 'resetPerson', row)), 'person-shared')
    const foreign = await adminClient(service, 'owner', { tenantId: second.id })
    assert.equal(
      await answerOf(change({ call: foreign }, 'removePerson', { personId: owner.personId, version: 1 })),
      'person-unknown',
      'people of another tenant are unknown',
    )
    assert.equal(await answerOf(change(owner.browser, 'removePerson', row)), 'done')
    const inSecond = { 'x-ringfence-tenant': second.id }
    assert.equal(await answerOf(both.browser.call('listPeople', {}, inSecond)), 'permission-missing')
    assert.equal((await both.browser.call('me', {}, inSecond)).body.role, 'viewer')
    const inFirst = { 'x-ringfence-tenant': service.tenantId }
    assert.equal(await answerOf(both.browser.call('me', {}, inFirst)), 'tenant-unknown')
  })

  test(it('a reset ends sessions and factors at once, and its link gives the same account new ones'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const other = await join(service, 'analyst', tim)
    assert.equal(
      await answerOf(change(owner.browser, 'resetPerson', target(await listed(owner.browser, maya)))),
      'person-is-you',
    )
    const row = target(await listed(owner.browser, tim))
    const earlier = linkIn((await change(owner.browser, 'resetPerson', row)).body)
    const { body } = await change(owner.browser, 'resetPerson', row)
    assert.deepEqual([...Value.Errors(NewInvitation as TSchema, body)], [])
    assert.equal(await answerOf(other.browser.call('me')), 'not-signed-in')
    const old = { email: tim.email, password: tim.password }
    for (const second of [{ code: other.code() }, { recoveryCode: other.recoveryCodes[0] }])
      assert.equal(await answerOf(other.browser.call('signIn', { ...old, ...second })), 'console-sign-in-failed')
    assert.equal((await listed(owner.browser, tim)).state, 'resetPending')
    assert.equal(await answerOf(other.browser.call('openInvitation', { link: earlier })), 'invitation-unknown')

    const link = linkIn(body)
    const opened = (await other.browser.call('openInvitation', { link })).body
    assert.deepEqual(opened.person, { name: 'Tim', email: tim.email })
    const asAna = { link, ...ana, code: '000000' }
    assert.equal(await answerOf(other.browser.call('acceptInvitation', asAna)), 'invitation-unknown')
    const afterwards = await accept(service, link, { ...tim, password: 'the new long sentence' })
    assert.equal(afterwards.personId, other.personId)
    const { role, state, secondFactors } = await listed(owner.browser, tim)
    const factors = { authenticatorApp: true, recoveryCodes: 10, passkeys: 0 }
    assert.deepEqual([role, state, secondFactors], ['analyst', 'active', factors])
    const signedIn = { email: tim.email, password: 'the new long sentence', code: afterwards.code() }
    assert.equal(await answerOf(browserOf(service).call('signIn', signedIn)), 'done')
    assert.equal(await answerOf(other.browser.call('openInvitation', { link })), 'invitation-unknown')
  })

  test(it('an invitation is shown once, listed without its secret, and can be withdrawn'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const made = (await owner.browser.call('invite', { role: 'support', email: ana.email, hours: 2 })).body
    assert.deepEqual([...Value.Errors(NewInvitation as TSchema, made)], [])
    assert.ok(made.url.startsWith(`${service.url.replace('127.0.0.1', 'localhost')}/console/welcome#rfl_`))
    await linkFor(service, 'viewer')
    const { body } = await owner.browser.call('listInvitations')
    assert.deepEqual([...Value.Errors(Invitations as TSchema, body)], [])
    assert.equal(body.invitations.length, 2)
    assert.deepEqual(body.invitations[0], made.invitation)
    assert.deepEqual(
      [made.invitation.email, made.invitation.invitedBy, made.invitation.role],
      [ana.email, 'Maya', 'support'],
    )
    assert.ok(!JSON.stringify(body).includes(linkIn(made)))
    const foreign = await adminClient(service, 'owner', {
      tenantId: (await service.parts.tenantKeyring.createTenant('other')).id,
    })
    const { invitationId } = made.invitation
    assert.deepEqual((await foreign('withdrawInvitation', { invitationId })).body, { withdrawn: false })
    assert.deepEqual((await owner.browser.call('withdrawInvitation', { invitationId })).body, { withdrawn: true })
    assert.deepEqual((await owner.browser.call('withdrawInvitation', { invitationId })).body, { withdrawn: false })
    assert.equal(await answerOf(owner.browser.call('openInvitation', { link: linkIn(made) })), 'invitation-unknown')
  })

  test(it('an invitation from the console makes an account with its role'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await join(service)
    const link = linkIn((await owner.browser.call('invite', { role: 'support', email: ana.email })).body)
    const invited = await accept(service, link, ana)
    assert.equal((await invited.browser.call('me')).body.role, 'support')
    assert.equal(
      await answerOf(invited.browser.call('signIn', { email: ana.email, password })),
      'console-sign-in-failed',
    )
  })
})
