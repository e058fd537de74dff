import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  consoleCookie,
  FinishedSso,
  type ListedPerson,
  SingleSignOn,
  SsoConnections,
  SsoTest,
} from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { Refusal } from '../../core/errors.ts'
import { startIdentityProvider } from '../../sign-in/authentication/testing/identity-provider.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { personWith } from '../people/test-person.ts'
import { browserOf, join } from '../people/testing.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { findPerson } from '../store/people.ts'
import { callbackOf, comeBack, configure, configured, inRealTime, signInWith } from './testing.ts'

const ssoCookie = '__Host-ringfence-sso'

async function answerOf(call: Promise<{ status: number; body: { type?: string } }>): Promise<string> {
  const { status, body } = await call
  return status === 200 ? 'done' : body.type!.replace('/problems/', '')
}

const conforms = (schema: TSchema, body: unknown) => assert.deepEqual([...Value.Errors(schema, body)], [])

/** A service with an owner, and a real provider whose person is Asha of the group `fraud`. */
async function scene(t: Parameters<TestDatabases['open']>[0], open: TestDatabases['open'], others: object = {}) {
  const service = await startTestService(t, await open(t), { settings: { ssoTargets: 'any', appRateBurst: 1000 } })
  inRealTime(service)
  const owner = await personWith(service, 'owner', 'Maya')
  // Known before anything is configured, since the provider has to know it first.
  const { callbackUrl } = (await owner.call('readSso')).body
  const provider = await startIdentityProvider(t, [callbackUrl])
  const is = (claims: object) => {
    provider.person = { sub: 'asha', name: 'Asha Rao', email: 'asha@shop.example', ...claims }
  }
  is({ groups: ['fraud'] })
  const ssoId = await configure(owner, provider.issuer, others)
  return { service, provider, is, owner, ssoId }
}

async function auditOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 200 })
  return rows.map((row) => openAuditLine(row, keys))
}

const peopleOf = async ({ call }: Pick<ReturnType<typeof browserOf>, 'call'>): Promise<ListedPerson[]> =>
  (await call('listPeople')).body.people

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a first sign-in makes the person with the role of the group, and each one has a new session'), async (t) => {
    const { service, owner, ssoId } = await scene(t, open)
    const browser = browserOf(service)
    const offered = (await browser.call('listSsoConnections')).body
    conforms(SsoConnections as TSchema, offered)
    assert.deepEqual(offered, { connections: [{ ssoId, name: 'Shop SSO' }] })

    browser.cookies.set(consoleCookie, 'chosen-by-an-attacker')
    const started = await browser.call('startSso', { ssoId, returnTo: '/console/reviews?state=open' })
    assert.match(
      started.headers.getSetCookie().join(),
      /^__Host-ringfence-sso=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=600$/,
    )
    const { searchParams } = new URL(started.body.authorizationUrl)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.ok(searchParams.get('nonce') && searchParams.get('state'))
    const back = await comeBack(started.body.authorizationUrl, callbackOf(service, ssoId))
    const finished = await browser.call('finishSso', back)
    assert.equal(finished.status, 200, JSON.stringify(finished.body))
    conforms(FinishedSso as TSchema, finished.body)
    assert.equal(finished.body.returnTo, '/console/reviews?state=open')
    const { person, role } = finished.body.me
    assert.deepEqual([person.name, person.email, role], ['Asha Rao', 'asha@shop.example', 'analyst'])
    assert.equal(browser.cookies.has(ssoCookie), false)
    const first = browser.cookies.get(consoleCookie)
    assert.notEqual(first, 'chosen-by-an-attacker')

    assert.equal((await signInWith(browser, ssoId, service)).status, 200)
    assert.notEqual(browser.cookies.get(consoleCookie), first)
    const old = browserOf(service).call('me', {}, { cookie: `${consoleCookie}=${first}` })
    assert.equal(await answerOf(old), 'not-signed-in', 'the session that the browser had has ended')
    const listed = (await peopleOf(owner)).filter(({ singleSignOn }) => singleSignOn !== undefined)
    assert.deepEqual(
      listed.map(({ name, state, personId }) => [name, state, personId]),
      [['Asha Rao', 'active', person.personId]],
    )
    const lines = (await auditOf(service)).filter(({ action }) => action === 'signIn' || action === 'saveSso')
    assert.deepEqual(
      lines.map(({ action }) => action),
      ['saveSso', 'signIn', 'signIn'],
    )
    assert.ok(!JSON.stringify(await auditOf(service)).includes(configured.clientSecret))
    assert.deepEqual((await browser.call('signOut')).body, { signedOut: true })
    assert.equal(await answerOf(browser.call('me')), 'not-signed-in')
  })

  test(
    it('the state says under which name of this machine a sign-in began, and says it only on this machine'),
    async (t) => {
      const { service, ssoId } = await scene(t, open)
      const stateOf = async (fields: object) => {
        const { authorizationUrl } = (await browserOf(service).call('startSso', { ssoId, ...fields })).body
        return new URL(authorizationUrl).searchParams.get('state')!
      }
      assert.match(await stateOf({ loopback: 'localhost' }), /^[\w-]{43}_at_localhost$/)
      assert.match(await stateOf({}), /^[\w-]{43}$/)
      const other = browserOf(service)
      assert.equal(await answerOf(other.call('startSso', { ssoId, loopback: 'evil.example' })), 'field-invalid')
      service.parts.addresses.base = () => 'https://console.shop.example'
      assert.match(await stateOf({ loopback: 'localhost' }), /^[\w-]{43}$/)
    },
  )

  test(it('only the browser that began can finish, once, within ten minutes'), async (t) => {
    const { service, ssoId } = await scene(t, open)
    const attacker = browserOf(service)
    const { authorizationUrl } = (await attacker.call('startSso', { ssoId })).body
    const back = await comeBack(authorizationUrl, callbackOf(service, ssoId))
    const victim = browserOf(service)
    assert.equal(await answerOf(victim.call('finishSso', back)), 'sso-expired', 'a browser that began nothing')
    await victim.call('startSso', { ssoId })
    assert.equal(await answerOf(victim.call('finishSso', back)), 'sso-expired', 'the state of another browser')
    assert.equal(victim.cookies.has(consoleCookie), false)

    const cookie = attacker.cookies.get(ssoCookie)!
    assert.equal(await answerOf(attacker.call('finishSso', { ...back, code: 'another-code' })), 'sso-failed')
    assert.equal(await answerOf(attacker.call('finishSso', back)), 'done')
    attacker.cookies.set(ssoCookie, cookie)
    assert.match(await answerOf(attacker.call('finishSso', back)), /sso-(failed|expired)/, 'the code again')

    const late = browserOf(service)
    const begun = (await late.call('startSso', { ssoId })).body
    const lateBack = await comeBack(begun.authorizationUrl, callbackOf(service, ssoId))
    service.clock.advance({ seconds: 601 })
    assert.equal(await answerOf(late.call('finishSso', lateBack)), 'sso-expired')
    const forged = { state: 'x', code: 'y' }
    const elsewhere = { origin: 'https://evil.example' }
    assert.equal(await answerOf(late.call('finishSso', forged, elsewhere)), 'request-forged')
    assert.equal(await answerOf(late.call('startSso', { ssoId }, elsewhere)), 'request-forged')
  })

  test(it('leads back to a page of the console and nowhere else'), async (t) => {
    const { service, ssoId } = await scene(t, open)
    const browser = browserOf(service)
    const elsewhere = [
      'https://evil.example',
      '//evil.example',
      '/console//evil.example',
      '/\\evil.example',
      'javascript:1',
    ]
    for (const returnTo of [...elsewhere, '/console/..//evil', '/console@evil.example', '/docs', '/console/#x'])
      assert.equal(await answerOf(browser.call('startSso', { ssoId, returnTo })), 'field-invalid', returnTo)
    assert.equal(await answerOf(browser.call('startSso', { ssoId: 'unknown' })), 'sso-unknown')
  })

  test(it('groups give the role at each sign-in, and who has none loses access in every browser'), async (t) => {
    const { service, is, owner, ssoId } = await scene(t, open)
    await owner.call('createRole', { name: 'case-worker', permissions: ['reviews.read', 'reviews.resolve'] })
    const roles = [...configured.roles, { group: 'cases', role: 'case-worker' }]
    const save = await owner.call('readSso')
    await configure(owner, save.body.connection.issuer, { roles, clientSecret: undefined })
    const [one, two] = [browserOf(service), browserOf(service)]
    const roleAfter = async (browser: typeof one) => (await signInWith(browser, ssoId, service)).body.me?.role
    assert.equal(await roleAfter(one), 'analyst')
    is({ groups: ['cases'] })
    assert.equal(await roleAfter(two), 'case-worker')
    assert.equal((await one.call('me')).body.role, 'case-worker', 'also in the session that there was')
    is({ groups: ['other', 'fraud', 'fraud-leads'] })
    assert.equal(await roleAfter(two), 'admin', 'the first of the list, not of the person')
    is({ groups: 'fraud' })
    assert.equal(await roleAfter(two), 'analyst', 'one text')

    is({ groups: ['other'] })
    const refused = await signInWith(two, ssoId, service)
    assert.equal(refused.body.type, '/problems/sso-refused')
    assert.match(refused.body.detail, /none of your groups has a role here/)
    for (const browser of [one, two]) assert.equal(await answerOf(browser.call('me')), 'not-signed-in')
    assert.equal((await peopleOf(owner)).length, 1)
    const last = (await auditOf(service)).at(-1)!
    assert.equal(last.action, 'signInFailed')
    is({ groups: ['fraud'] })
    assert.equal(await roleAfter(one), 'analyst', 'and gets in again with the group')
  })

  test(it('a claim that is missing, of another type or too long gives no role, and says so'), async (t) => {
    const { service, is, ssoId } = await scene(t, open)
    const many = Array.from({ length: 10_000 }, (_, number) => `g${number}`)
    for (const [groups, why] of [
      [undefined, /sent no claim groups/],
      [{ fraud: true }, /is no list/],
      [[1, 2], /is no list/],
      [['fraud', null], /is no list/],
      [[...many, 'fraud'], /is no list of at most 2000/],
      [[], /none of your groups/],
    ] as const) {
      is({ groups })
      const { status, body } = await signInWith(browserOf(service), ssoId, service)
      assert.deepEqual([status, body.type], [403, '/problems/sso-refused'])
      assert.match(body.detail, why)
    }
  })

  test(it('an email address that the provider claims makes nobody the person who has it'), async (t) => {
    const { service, is, ssoId } = await scene(t, open)
    const victim = await join(service, 'owner', {
      name: 'Vic',
      email: 'vic@shop.example',
      password: 'another long sentence',
    })
    is({ sub: 'mallory', email: 'vic@shop.example', groups: ['fraud'] })
    const { body } = await signInWith(browserOf(service), ssoId, service)
    assert.notEqual(body.me.person.personId, victim.personId)
    assert.equal(body.me.role, 'analyst')
    is({ sub: 'asha', email: 'other@shop.example', groups: ['fraud'] })
    const again = (await signInWith(browserOf(service), ssoId, service)).body.me.person.personId
    is({ sub: 'asha', email: 'vic@shop.example', groups: ['fraud'] })
    assert.equal((await signInWith(browserOf(service), ssoId, service)).body.me.person.personId, again)
    assert.equal((await victim.browser.call('me')).body.role, 'owner')
  })

  test(
    it('nobody becomes an owner by a group or afterwards, and nobody changes a role that follows from groups'),
    async (t) => {
      const { service, provider, owner, ssoId } = await scene(t, open)
      const save = (fields: object) =>
        answerOf(owner.call('saveSso', { ...configured, issuer: provider.issuer, ...fields }, { 'if-match': '*' }))
      assert.equal(await save({ roles: [{ group: 'fraud', role: 'owner' }] }), 'field-invalid')
      assert.equal(await save({ roles: [{ group: 'fraud', role: 'nobody' }] }), 'field-invalid')
      const { personId } = (await signInWith(browserOf(service), ssoId, service)).body.me.person
      const anyVersion = { 'if-match': '*' }
      assert.equal(await answerOf(owner.call('changeRole', { personId, role: 'owner' }, anyVersion)), 'person-by-sso')
      assert.equal(await answerOf(owner.call('resetPerson', { personId }, anyVersion)), 'person-by-sso')
      assert.equal(await answerOf(owner.call('removePerson', { personId }, anyVersion)), 'done')
    },
  )

  test(it('whoever signs in with a provider has no other way in, which could outlast their group'), async (t) => {
    const { service, owner, ssoId } = await scene(t, open)
    const browser = browserOf(service)
    const { person } = (await signInWith(browser, ssoId, service)).body.me
    assert.equal(person.singleSignOn, (await owner.call('readSso')).body.connection.issuer)
    assert.equal(await answerOf(browser.call('beginPasskey')), 'person-by-sso')
    const {
      admin: { people },
      database,
    } = service.parts
    const row = (await findPerson(database, person.personId))!
    await assert.rejects(
      people.admit(row, ['passkey'], { requestId: 'r', address: undefined }),
      (error) => error instanceof Refusal && error.failure === 'ssoRequired',
      'nor with a passkey that somebody has put into the store',
    )
  })

  test(it('without people made by a first sign-in, only known ones get in'), async (t) => {
    const { service, provider, is, owner, ssoId } = await scene(t, open)
    const browser = browserOf(service)
    assert.equal((await signInWith(browser, ssoId, service)).status, 200)
    await configure(owner, provider.issuer, { makesPeople: false })
    assert.equal((await signInWith(browser, ssoId, service)).status, 200)
    is({ sub: 'ravi', groups: ['fraud'] })
    const { body } = await signInWith(browserOf(service), ssoId, service)
    assert.match(body.detail, /nobody new gets in/)
    assert.equal((await peopleOf(owner)).length, 2)
  })

  test(it('passwords of everybody but owners can be switched off, at once, and an owner always gets in'), async (t) => {
    const { service, provider, owner, ssoId } = await scene(t, open)
    const tim = await join(service, 'admin', {
      name: 'Tim',
      email: 'tim@shop.example',
      password: 'another long sentence',
    })
    const vic = await join(service, 'owner', {
      name: 'Vic',
      email: 'vic@shop.example',
      password: 'another long sentence',
    })
    const withSso = browserOf(service)
    await signInWith(withSso, ssoId, service)
    await configure(owner, provider.issuer, { passwords: 'ownersOnly' })
    assert.equal(await answerOf(tim.browser.call('me')), 'sso-required')
    assert.equal(await answerOf(withSso.call('me')), 'done')
    assert.equal(await answerOf(vic.browser.call('me')), 'done')
    const credentials = { email: 'tim@shop.example', password: 'another long sentence', code: tim.code() }
    assert.equal(await answerOf(browserOf(service).call('signIn', credentials)), 'sso-required')
    const ofOwner = { ...credentials, email: 'vic@shop.example', code: vic.code() }
    assert.equal(await answerOf(browserOf(service).call('signIn', ofOwner)), 'done')
    const { version } = (await owner.call('readSso')).body
    assert.equal(await answerOf(owner.call('removeSso', {}, { 'if-match': `"${version}"` })), 'done')
    assert.equal(await answerOf(tim.browser.call('me')), 'done')
    assert.equal(await answerOf(withSso.call('me')), 'not-signed-in', 'the way in is gone')
    assert.equal(await answerOf(withSso.call('startSso', { ssoId })), 'sso-unknown')
  })

  test(
    it('an owner configures it in a session, the secret comes back nowhere, and goes to no other issuer'),
    async (t) => {
      const { service, provider, owner, ssoId } = await scene(t, open)
      const admin = await personWith(service, 'admin', 'Tim')
      const fields = { ...configured, issuer: provider.issuer }
      const stale = { 'if-match': '"9"' }
      assert.equal(await answerOf(admin.call('saveSso', fields, { 'if-match': '*' })), 'role-too-high')
      assert.equal(await answerOf(admin.call('removeSso', {}, { 'if-match': '*' })), 'role-too-high')
      assert.equal(await answerOf(admin.call('testSso', { issuer: provider.issuer })), 'role-too-high')
      assert.equal(await answerOf(owner.call('saveSso', fields)), 'version-missing')
      assert.equal(await answerOf(owner.call('saveSso', fields, stale)), 'version-changed')
      const read = await admin.call('readSso')
      conforms(SingleSignOn as TSchema, read.body)
      assert.equal(read.body.connection.hasSecret, true)
      assert.equal(read.body.callbackUrl, callbackOf(service, ssoId))
      assert.ok(!JSON.stringify(read.body).includes(configured.clientSecret))

      const { clientSecret: _, ...without } = fields
      const kept = await owner.call('saveSso', { ...without, name: 'New name' }, { 'if-match': '"1"' })
      assert.equal(kept.body.connection.hasSecret, true)
      const moved = await owner.call(
        'saveSso',
        { ...without, issuer: 'https://login.evil.example' },
        { 'if-match': '*' },
      )
      assert.equal(moved.body.connection.hasSecret, false, 'or whoever changes the issuer would learn it')

      const stored = await service.parts.database.query('select sealed from single_sign_on')
      assert.ok(
        !Buffer.from(stored[0]!.sealed as Uint8Array)
          .toString('latin1')
          .includes(configured.clientSecret),
      )
      const tested = await owner.call('testSso', { issuer: provider.issuer })
      conforms(SsoTest as TSchema, tested.body)
      assert.equal(tested.body.isReady, true, JSON.stringify(tested.body))
    },
  )

  test(it('another tenant’s provider signs in nobody here, and its people are others'), async (t) => {
    const { service, provider, ssoId } = await scene(t, open)
    const mine = (await signInWith(browserOf(service), ssoId, service)).body.me
    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await personWith({ ...service, tenantId }, 'owner', 'Eve')
    const { callbackUrl } = (await foreign.call('readSso')).body
    const elsewhere = await startIdentityProvider(t, [callbackUrl])
    elsewhere.person = provider.person
    const ofThem = await configure(foreign, elsewhere.issuer)
    const theirs = (await signInWith(browserOf(service), ofThem, service)).body.me
    assert.notEqual(theirs.person.personId, mine.person.personId)
    assert.deepEqual([mine.tenant.tenantId, theirs.tenant.tenantId], [service.tenantId, tenantId])
    assert.equal(theirs.tenants.length, 1)
  })
})
