import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostOwnRoles, OwnRole, permissionNames, RemovedRole, Roles } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { personWith, type TestPerson } from '../people/test-person.ts'
import { linkIn } from '../people/testing.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { type AdminCaller, adminClient } from '../testing.ts'
import { adminPerson } from '../testing-person.ts'

const lead = { name: 'fraud-lead', description: 'Leads the team', permissions: ['decisions.read', 'people.read'] }
const manager = { name: 'manager', permissions: ['people.read', 'people.write', 'decisions.read'] }

async function answerOf(call: ReturnType<AdminCaller>): Promise<string> {
  const { status, body } = await call
  return status === 200 ? 'done' : body.type.replace('/problems/', '')
}

const conforms = (schema: TSchema, body: unknown) => assert.deepEqual([...Value.Errors(schema, body)], [])

const edit = ({ call }: Pick<TestPerson, 'call'>, fields: object, version: number | '*' = '*') =>
  call('editRole', fields, { 'if-match': version === '*' ? '*' : `"${version}"` })

const remove = ({ call }: Pick<TestPerson, 'call'>, name: string) => call('removeRole', { name }, { 'if-match': '*' })

const give = ({ call }: Pick<TestPerson, 'call'>, personId: string, role: string) =>
  call('changeRole', { personId, role }, { 'if-match': '*' })

const permissionsOf = async ({ call }: TestPerson) => (await call('me')).body.permissions as string[]

async function auditedCalls({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 200 })
  return rows.map((row) => openAuditLine(row, keys))
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('makes, lists, changes and removes a role, each with an audit line'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    const { status, body, headers } = await owner.call('createRole', lead)
    assert.equal(status, 200, JSON.stringify(body))
    conforms(OwnRole as TSchema, body)
    assert.deepEqual(body, { ...lead, version: 1 })
    assert.equal(headers.get('etag'), '"1"')

    const tim = await personWith(service, lead.name, 'Tim')
    const listed = (await tim.call('listRoles')).body
    conforms(Roles as TSchema, listed)
    const roles = listed.roles as { name: string; isBuiltIn: boolean }[]
    assert.deepEqual(
      roles.map(({ name, isBuiltIn }) => [name, isBuiltIn]),
      [...['owner', 'admin', 'analyst', 'support', 'viewer'].map((name) => [name, true]), [lead.name, false]],
    )
    assert.deepEqual(roles.at(-1), { ...body, isBuiltIn: false, people: 1, keys: 0, invitations: 0 })
    assert.equal(listed.permissions.length, permissionNames.length)

    assert.equal(await answerOf(owner.call('editRole', { name: lead.name })), 'version-missing')
    const changed = await edit(owner, { name: lead.name, description: 'Leads' }, 1)
    assert.deepEqual(changed.body, { ...lead, description: 'Leads', version: 2 })
    const stale = edit(owner, { name: lead.name, permissions: [] }, 1)
    assert.equal(await answerOf(stale), 'version-changed')
    await give(owner, tim.personId, 'viewer')
    const removed = await remove(owner, lead.name)
    conforms(RemovedRole as TSchema, removed.body)
    assert.deepEqual(removed.body, { name: lead.name, removed: true })
    assert.equal(await answerOf(remove(owner, lead.name)), 'role-unknown')
    assert.equal(await answerOf(edit(owner, { name: lead.name })), 'role-unknown')
    const actions = (await auditedCalls(service)).map(({ action }) => action)
    for (const action of ['createRole', 'editRole', 'removeRole'])
      assert.equal(actions.filter((each) => each === action).length, 1, action)
  })

  test(it('a change holds at the next call of each session and key, also one that leaves nothing'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    await owner.call('createRole', lead)
    const tim = await personWith(service, lead.name, 'Tim')
    const key = await adminClient(service, lead.name)
    assert.equal(await answerOf(tim.call('searchEvents')), 'done')
    assert.equal(await answerOf(key('searchEvents')), 'done')
    assert.equal(await answerOf(tim.call('listApps')), 'permission-missing')

    await edit(owner, { name: lead.name, permissions: ['apps.read'] })
    for (const call of [tim.call, key]) {
      assert.equal(await answerOf(call('listApps')), 'done')
      assert.equal(await answerOf(call('searchEvents')), 'permission-missing')
    }
    await edit(owner, { name: lead.name, permissions: [] })
    assert.deepEqual(await permissionsOf(tim), [])
    for (const call of [tim.call, key]) assert.equal(await answerOf(call('listApps')), 'permission-missing')
    assert.equal(await answerOf(tim.call('listSessions')), 'done', 'what everybody may, they still may')
  })

  test(it('nobody makes, widens, gives or keeps from others a role with a permission that they lack'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    await owner.call('createRole', manager)
    await owner.call('createRole', { name: 'key-maker', permissions: ['keys.write', 'people.read'] })
    const attacker = await personWith(service, manager.name, 'Mallory')
    const friend = await personWith(service, 'viewer', 'Fred')
    const more = ['decisions.read', 'keys.write']

    const tries: [string, ReturnType<AdminCaller>][] = [
      ['a new role', attacker.call('createRole', { name: 'mine', permissions: more })],
      ['the own role', edit(attacker, { name: manager.name, permissions: [...manager.permissions, 'keys.write'] })],
      ['less of a role with more', edit(attacker, { name: 'key-maker', permissions: [] })],
      ['only its description', edit(attacker, { name: 'key-maker', description: 'x' })],
      ['its removal', remove(attacker, 'key-maker')],
      ['its gift', give(attacker, friend.personId, 'key-maker')],
      ['an owner', give(attacker, attacker.personId, 'owner')],
      ['an admin', give(attacker, attacker.personId, 'admin')],
      ['a link', attacker.call('invite', { role: 'key-maker' })],
      ['the owner taken away', give(attacker, owner.personId, manager.name)],
    ]
    for (const [title, call] of tries) assert.equal(await answerOf(call), 'role-too-high', title)
    const builtIn = { name: 'admin', permissions: [] }
    assert.equal(await answerOf(attacker.call('createRole', builtIn)), 'role-exists')
    assert.equal(await answerOf(edit(owner, builtIn)), 'role-unknown', 'built-in roles stay as they are')
    assert.equal(await answerOf(owner.call('createRole', { name: 'Owner', permissions: [] })), 'field-invalid')
    assert.equal(await answerOf(owner.call('createRole', { name: 'x', permissions: ['everything'] })), 'field-invalid')
    assert.deepEqual((await permissionsOf(attacker)).toSorted(), manager.permissions.toSorted())

    const smaller = { name: 'reader', permissions: ['decisions.read'] }
    assert.equal(await answerOf(attacker.call('createRole', smaller)), 'done')
    const later = await personWith(service, 'reader', 'Rita')
    assert.equal(await answerOf(later.call('searchEvents')), 'done')
    await owner.call('createRole', { name: 'keys-only', permissions: ['keys.write', 'users.write'] })
    const maker = await personWith(service, 'keys-only', 'Kim')
    const asLead = maker.call('createClient', { name: 'k', scopes: ['admin'], role: 'reader' })
    assert.equal(await answerOf(asLead), 'permission-missing')
    const asOwn = maker.call('createClient', { name: 'k', scopes: ['admin'], role: 'keys-only' })
    assert.equal(await answerOf(asOwn), 'done')
  })

  test(it('a role that somebody has stays, and says who has it; a new one takes over nobody'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    await owner.call('createRole', lead)
    const tim = await personWith(service, lead.name, 'Tim')
    const client = { name: 'reports', scopes: ['admin'], role: lead.name }
    const { clientId } = (await owner.call('createClient', client)).body
    const { invitationId } = (await owner.call('invite', { role: lead.name })).body.invitation
    const held = await remove(owner, lead.name)
    assert.equal(held.status, 409)
    assert.match(held.body.detail, /1 person, 1 client key, 1 open invitation/)
    await give(owner, tim.personId, 'viewer')
    assert.match((await remove(owner, lead.name)).body.detail, /: 1 client key, 1 open invitation/)
    await owner.call('revokeClient', { clientId })
    await owner.call('withdrawInvitation', { invitationId })
    assert.equal(await answerOf(remove(owner, lead.name)), 'done')

    const { database } = service.parts
    await database.query('update person_role set role = $1 where person_id = $2', [lead.name, tim.personId])
    assert.equal(await answerOf(tim.call('me')), 'tenant-unknown')
    const people = (await owner.call('listPeople')).body.people as { personId: string; state: string }[]
    assert.equal(people.find(({ personId }) => personId === tim.personId)!.state, 'noAccess')
    assert.equal(await answerOf(owner.call('createRole', lead)), 'role-held')
    await give(owner, tim.personId, 'viewer')
    assert.equal(await answerOf(owner.call('createRole', lead)), 'done')
  })

  test(it('a role of everything is no owner: the last owner stays, and nobody else makes one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    await owner.call('createRole', { name: 'everything', permissions: permissionNames })
    const other = await personWith(service, 'everything', 'Tim')
    assert.equal(await answerOf(give(owner, owner.personId, 'everything')), 'last-owner')
    assert.equal(await answerOf(give(other, other.personId, 'owner')), 'role-too-high')
    assert.equal(await answerOf(give(other, owner.personId, 'viewer')), 'role-too-high')
    assert.equal(await answerOf(other.call('invite', { role: 'owner' })), 'role-too-high')
  })

  test(it('links that a person made end when their role loses a permission'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    await owner.call('createRole', manager)
    const tim = await personWith(service, manager.name, 'Tim')
    const linkOf = async () => linkIn((await tim.call('invite', { role: manager.name })).body)
    const [first, kept] = [await linkOf(), linkIn((await owner.call('invite', { role: manager.name })).body)]
    await edit(owner, { name: manager.name, permissions: [...manager.permissions, 'apps.read'] })
    assert.equal(await answerOf(owner.call('openInvitation', { link: first })), 'done', 'more takes nothing away')
    await edit(owner, { name: manager.name, permissions: ['people.read'] })
    assert.equal(await answerOf(owner.call('openInvitation', { link: first })), 'invitation-unknown')
    assert.equal(await answerOf(owner.call('openInvitation', { link: kept })), 'done')
  })

  test(it('personal data are masked by the permissions of the role, and another tenant has other roles'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    const reading = ['lists.read', 'lists.write']
    await owner.call('createRole', { name: 'lister', permissions: reading })
    const tim = await personWith(service, 'lister', 'Tim')
    await owner.call('createList', { name: 'numbers', kind: 'phoneNumber', purpose: 'watch' })
    await owner.call('addListEntries', { name: 'numbers', entries: [{ value: '917020141726' }] })
    const seen = async () => JSON.stringify((await tim.call('readList', { name: 'numbers' })).body)
    assert.doesNotMatch(await seen(), /917020141726/)
    await edit(owner, { name: 'lister', permissions: [...reading, 'personalData.read'] })
    assert.match(await seen(), /917020141726/)

    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await adminPerson(service, 'owner', tenantId)
    assert.equal((await foreign('listRoles')).body.roles.length, 5)
    assert.equal(await answerOf(edit({ call: foreign }, { name: 'lister', permissions: [] })), 'role-unknown')
    assert.equal(await answerOf((await adminClient(service, 'lister', { tenantId }))('me')), 'client-restricted')
  })

  test(it('who may publish rules by an own role is a second person'), async (t) => {
    const service = await startTestService(t, await open(t))
    const owner = await personWith(service, 'owner', 'Maya')
    const permissions = ['rules.read', 'rules.write', 'rules.publish']
    await owner.call('createRole', { name: 'publisher', permissions })
    await personWith(service, 'publisher', 'Pia')
    assert.equal((await owner.call('listPublications')).body.publishers, 2)
    await edit(owner, { name: 'publisher', permissions: ['rules.read'] })
    assert.equal((await owner.call('listPublications')).body.publishers, 1)
  })

  test(it('a tenant has at most 50, and two at the same time make one of a name'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { clientRatePerSecond: 10_000 } })
    const owner = await personWith(service, 'owner', 'Maya')
    const make = (name: string) => answerOf(owner.call('createRole', { name, permissions: [] }))
    assert.deepEqual((await Promise.all([make('twin'), make('twin')])).toSorted(), ['done', 'role-exists'])
    for (let number = 1; number < mostOwnRoles; number++) assert.equal(await make(`role-${number}`), 'done')
    assert.equal(await make('one-more'), 'limit-reached')
  })
})
