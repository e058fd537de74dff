import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  consoleCookie,
  type ListedPerson,
  Me,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  Passkeys,
} from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestAnswer, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { dropEndedSessions } from '../people/retention.ts'
import { accept, browserOf, fromBase32, join, linkFor, maya, password } from '../people/testing.ts'
import { codeOf } from '../people/totp.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient } from '../testing.ts'
import { type Otherwise, type TestAuthenticator, testAuthenticator } from './test-authenticator.ts'

const origin = 'https://fraud.example'
type Browser = ReturnType<typeof browserOf>

const start = async (t: TestContext, database: Database) =>
  startTestService(t, database, { settings: { baseUrl: origin } })

const fits = (schema: TSchema, { status, body }: TestAnswer) => {
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([...Value.Errors(schema, body)], [])
  return body
}

const problemOf = ({ status, body }: TestAnswer) =>
  status === 200 ? 'done' : String(body.type).replace('/problems/', '')

async function begin(browser: Browser): Promise<PasskeyCreation['options']> {
  return fits(PasskeyCreation as TSchema, await browser.call('beginPasskey')).options
}

/** Adds a passkey to the account of who is signed in. */
async function add(browser: Browser, name = 'Laptop', of = testAuthenticator(origin)) {
  const credential = of.create(await begin(browser))
  const { passkeyId } = fits(Passkey as TSchema, await browser.call('addPasskey', { name, credential }))
  return { passkeyId: passkeyId as string, authenticator: of }
}

/** In a browser in which nobody is signed in. */
async function signIn(browser: Browser, authenticator: TestAuthenticator, otherwise: Otherwise = {}) {
  const { options } = fits(PasskeyRequest as TSchema, await browser.call('beginPasskeySignIn'))
  return browser.call('signInWithPasskey', { credential: authenticator.get(options, otherwise) })
}

async function linesOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })
  return rows.map((row) => openAuditLine(row, keys))
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a person adds a passkey and signs in with it, without user name, password or code'), async (t) => {
    const service = await start(t, await open(t))
    const { browser, personId } = await join(service)
    const { passkeyId, authenticator } = await add(browser)
    const other = browserOf(service)
    const me = fits(Me as TSchema, await signIn(other, authenticator))
    assert.equal(me.person.personId, personId)
    assert.equal((await other.call('me')).status, 200)
    const [listed] = fits(Passkeys as TSchema, await other.call('listPasskeys')).passkeys
    assert.deepEqual(
      { ...listed, createdAt: '', lastUsedAt: '' },
      { passkeyId, name: 'Laptop', backedUp: false, createdAt: '', lastUsedAt: '' },
    )
    const lines = await linesOf(service)
    const added = lines.find(({ action }) => action === 'addPasskey')
    assert.deepEqual(added?.details.sent, { name: 'Laptop' }, 'no key and no id of the credential')
    const signIns = lines.filter(({ action }) => action === 'signIn')
    assert.deepEqual(
      signIns.map(({ details }) => details.factors),
      [['password', 'authenticatorApp'], ['passkey']],
    )
  })

  for (const name of ['addPasskey', 'removePasskey', 'replaceAuthenticator'] as const)
    test(it(`a reset wins over a change by a session that was read before it: ${name}`), async (t) => {
      const service = await start(t, await open(t))
      const owner = await join(service)
      const { browser, personId } = await join(service, 'analyst', { ...maya, email: 'tim@shop.example' })
      const { passkeyId } = await add(browser)
      const { secret, setup } = (await browser.call('beginAuthenticator')).body
      const fields = {
        addPasskey: { name: 'Phone', credential: testAuthenticator(origin).create(await begin(browser)) },
        removePasskey: { passkeyId },
        replaceAuthenticator: { setup, code: codeOf(fromBase32(secret), Math.floor(service.clock.now() / 30_000)) },
      }
      const listed = async () =>
        (await owner.browser.call('listPeople')).body.people.find((each: ListedPerson) => each.personId === personId)
      const { version } = await listed()
      const { sessions } = service.parts.admin.people
      const find = sessions.find.bind(sessions)
      let reset: string | undefined
      t.mock.method(sessions, 'find', async (...session: Parameters<typeof find>) => {
        const row = await find(...session)
        if (row?.personId === personId)
          reset ??= problemOf(await owner.browser.call('resetPerson', { personId }, { 'if-match': `"${version}"` }))
        return row
      })
      assert.equal(problemOf(await browser.call(name, fields[name])), 'not-signed-in')
      assert.equal(reset, 'done')
      const none = { authenticatorApp: false, recoveryCodes: 0, passkeys: 0 }
      assert.deepEqual((await listed()).secondFactors, none)
    })

  test(it('a sign-in gets a new session, and the one that the browser had ends'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const { authenticator } = await add(browser)
    const before = browser.cookies.get(consoleCookie)
    assert.ok(before)
    assert.equal(problemOf(await signIn(browser, authenticator)), 'done')
    assert.notEqual(browser.cookies.get(consoleCookie), before)
    assert.equal(browser.cookies.has('__Host-ringfence-passkey'), false)
    const old = browserOf(service)
    old.cookies.set(consoleCookie, before)
    assert.equal(problemOf(await old.call('me')), 'not-signed-in')
  })

  test(it('an answer that is not for this site, or without the person checked, is refused'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const { authenticator } = await add(browser)
    const hostile: Record<string, Otherwise> = {
      'another origin': { origin: 'https://fraud.example.evil.example' },
      'another scheme': { origin: 'http://fraud.example' },
      'another port': { origin: 'https://fraud.example:8443' },
      'another site': { rpId: 'evil.example' },
      'a registration': { type: 'webauthn.create' },
      'a frame': { crossOrigin: true },
      'no user verification': { isVerified: false },
      'no user presence': { isPresent: false },
      'the handle of nobody': { userHandle: undefined },
      'the handle of somebody else': { userHandle: Buffer.from('somebody').toString('base64url') },
    }
    for (const [name, otherwise] of Object.entries(hostile)) {
      service.clock.advance({ seconds: 120 })
      const other = browserOf(service)
      assert.equal(problemOf(await signIn(other, authenticator, otherwise)), 'passkey-refused', name)
      assert.equal(problemOf(await other.call('me')), 'not-signed-in', name)
    }
    const failed = (await linesOf(service)).filter(({ action }) => action === 'signInFailed')
    assert.deepEqual(
      failed.map(({ details }) => details.wrong),
      Object.keys(hostile).map(() => 'passkey'),
    )
    assert.equal(problemOf(await signIn(browserOf(service), authenticator)), 'done')
  })

  test(it('a challenge works once, for five minutes, in the browser and for the purpose that it is for'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const { authenticator } = await add(browser)
    const other = browserOf(service)
    const optionsOf = async (each: Browser) => (await each.call('beginPasskeySignIn')).body.options
    const send = async (each: Browser, options: PasskeyRequest['options'], otherwise: Otherwise = {}) =>
      problemOf(await each.call('signInWithPasskey', { credential: authenticator.get(options, otherwise) }))

    const binding = '__Host-ringfence-passkey'
    const options = await optionsOf(other)
    const cookie = other.cookies.get(binding)!
    const credential = authenticator.get(options)
    assert.equal(problemOf(await other.call('signInWithPasskey', { credential })), 'done')
    other.cookies.set(binding, cookie)
    assert.equal(problemOf(await other.call('signInWithPasskey', { credential })), 'passkey-refused', 'replayed')
    assert.equal(await send(other, options), 'passkey-refused', 'answered again')

    const stranger = browserOf(service)
    const theirs = await optionsOf(stranger)
    assert.equal(await send(browserOf(service), theirs), 'passkey-refused', 'without the cookie')
    await optionsOf(other)
    assert.equal(await send(other, theirs), 'passkey-refused', 'with the cookie of another browser')
    assert.equal(await send(stranger, theirs), 'done')

    const late = browserOf(service)
    const old = await optionsOf(late)
    service.clock.advance({ seconds: 300 })
    assert.equal(await send(late, old), 'passkey-refused', 'ended')

    const confirming = (await stranger.call('beginConfirmation')).body.options
    assert.equal(await send(late, { ...old, challenge: confirming.challenge }), 'passkey-refused', 'to confirm')
    const own = browserOf(service)
    const ownOptions = await optionsOf(own)
    const changed = Buffer.from(ownOptions.challenge, 'base64url')
    changed[23]! += 1
    for (const challenge of ['', 'AAAA', randomChallenge(), changed.toString('base64url')])
      assert.equal(await send(own, { ...ownOptions, challenge }), 'passkey-refused', `made up: ${challenge}`)
    const { parts: needs } = service
    const used = await needs.database.query<{ n: number }>('select cast(count(*) as bigint) as n from used_challenge')
    assert.equal(used[0]!.n, 3, 'of a registration and two sign-ins: who cannot sign stores nothing')
  })

  test(it('one answer that is sent several times at once signs in once'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const of = testAuthenticator(origin, { isCounting: false })
    await add(browser, 'Phone', of)
    const other = browserOf(service)
    const { options } = (await other.call('beginPasskeySignIn')).body
    const credential = of.get(options)
    const cookie = `__Host-ringfence-passkey=${other.cookies.get('__Host-ringfence-passkey')}`
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => browserOf(service).call('signInWithPasskey', { credential }, { cookie })),
    )
    assert.deepEqual(answers.map(problemOf).sort(), ['done', ...Array(4).fill('passkey-refused')])
    assert.equal(problemOf(await signIn(browserOf(service), of)), 'done', 'a counter that stays 0 is no copy')
  })

  test(it('a counter that goes back is refused, and the audit log says so'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const { authenticator } = await add(browser)
    assert.equal(problemOf(await signIn(browserOf(service), authenticator, { counter: 40 })), 'done')
    for (const counter of [40, 39, 0])
      assert.equal(problemOf(await signIn(browserOf(service), authenticator, { counter })), 'passkey-refused')
    assert.equal(problemOf(await signIn(browserOf(service), authenticator, { counter: 41 })), 'done')
    const failed = (await linesOf(service)).filter(({ action }) => action === 'signInFailed')
    assert.deepEqual(
      failed.map(({ details }) => details.wrong),
      Array(3).fill('passkeyCounter'),
    )
  })

  test(it('a passkey of somebody else neither signs in as this person nor confirms them'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const { authenticator } = await add(browser)
    const tim = await accept(service, await linkFor(service, 'viewer'), {
      ...maya,
      name: 'Tim',
      email: 'tim@shop.example',
    })
    const { passkeyId, authenticator: ofTim } = await add(tim.browser)
    const handle = Buffer.from((await browser.call('me')).body.person.personId).toString('base64url')
    const forged = await signIn(browserOf(service), ofTim, { userHandle: handle })
    assert.equal(problemOf(forged), 'passkey-refused')
    const asMaya = await begin(browser)
    const taken = await browser.call('addPasskey', { name: 'x', credential: ofTim.create(asMaya) })
    assert.equal(problemOf(taken), 'field-invalid', 'a credential belongs to one person')
    const { options } = (await browser.call('beginConfirmation')).body
    const confirm = (each: TestAuthenticator) => browser.call('confirmPerson', { credential: each.get(options) })
    ofTim.create({ ...asMaya, user: { ...asMaya.user, id: Buffer.from(tim.personId).toString('base64url') } })
    assert.equal(problemOf(await confirm(ofTim)), 'passkey-refused')
    assert.equal(problemOf(await confirm(authenticator)), 'done')
    assert.equal(problemOf(await browser.call('renamePasskey', { passkeyId, name: 'mine' })), 'passkey-unknown')
    assert.deepEqual((await browser.call('removePasskey', { passkeyId })).body, { removed: false })
    assert.equal(problemOf(await signIn(browserOf(service), ofTim, { userHandle: undefined })), 'passkey-refused')
  })

  test(it('a new passkey must be made for this site and session, and its attestation is not asked for'), async (t) => {
    const service = await start(t, await open(t))
    const { browser, code } = await join(service)
    const elsewhere = browserOf(service)
    assert.equal(problemOf(await elsewhere.call('signIn', { email: maya.email, password, code: code() })), 'done')
    const x5c = new Map<string, unknown>([
      ['x5c', [new Uint8Array(40)]],
      ['alg', -7],
      ['sig', new Uint8Array(70)],
    ])
    const hostile: Record<string, Otherwise> = {
      'another origin': { origin: 'https://evil.example' },
      'another site': { rpId: 'evil.example' },
      'a sign-in': { type: 'webauthn.get' },
      'a frame': { crossOrigin: true },
      'no user verification': { isVerified: false },
      'no user presence': { isPresent: false },
      'a certificate': { attestation: { format: 'packed', statement: x5c } },
      'an unknown attestation': { attestation: { format: 'mine', statement: new Map() } },
      'a statement of none': { attestation: { format: 'none', statement: new Map([['sig', 1]]) } },
      'another id': { credentialId: Buffer.alloc(32) },
      'the challenge of another session': { challenge: (await begin(elsewhere)).challenge },
      'a made-up challenge': { challenge: randomChallenge() },
    }
    for (const [name, otherwise] of Object.entries(hostile)) {
      const credential = testAuthenticator(origin).create(await begin(browser), otherwise)
      assert.equal(problemOf(await browser.call('addPasskey', { name, credential })), 'field-invalid', name)
    }
    const of = testAuthenticator(origin)
    const options = await begin(browser)
    const credential = of.create(options)
    for (const attestationObject of ['AAAA', 'oA', credential.response.attestationObject.slice(0, 90)]) {
      const broken = { ...credential, response: { ...credential.response, attestationObject } }
      assert.equal(problemOf(await browser.call('addPasskey', { name: 'broken', credential: broken })), 'field-invalid')
    }
    assert.equal(problemOf(await browser.call('addPasskey', { name: 'x', credential })), 'done')
    assert.equal(problemOf(await browser.call('addPasskey', { name: 'x', credential })), 'field-invalid', 'again')
    assert.equal(
      problemOf(await browser.call('addPasskey', { name: 'y', credential: testAuthenticator(origin).create(options) })),
      'field-invalid',
      'same challenge',
    )
    assert.deepEqual((await begin(browser)).excludeCredentials, [{ type: 'public-key', id: of.id }])
    assert.equal((await browser.call('listPasskeys')).body.passkeys.length, 1)
  })

  test(
    it('ten minutes after the sign-in, a change needs another proof, by password and code or by passkey'),
    async (t) => {
      const service = await start(t, await open(t))
      const { browser, code } = await join(service)
      const { passkeyId, authenticator } = await add(browser)
      const credential = testAuthenticator(origin).create(await begin(browser))
      service.clock.advance({ seconds: 600 })
      const change = async () => problemOf(await browser.call('beginPasskey'))
      assert.equal(await change(), 'confirmation-missing')
      assert.equal(problemOf(await browser.call('addPasskey', { name: 'x', credential })), 'confirmation-missing')
      assert.equal(problemOf(await browser.call('removePasskey', { passkeyId })), 'confirmation-missing')
      assert.equal(problemOf(await browser.call('renamePasskey', { passkeyId, name: 'Old laptop' })), 'done')
      const confirm = async (proof: object) => problemOf(await browser.call('confirmPerson', proof))
      assert.equal(await confirm({}), 'field-invalid')
      assert.equal(await confirm({ password }), 'field-invalid')
      assert.equal(await confirm({ password: 'wrong', code: code() }), 'console-sign-in-failed')
      assert.equal(await change(), 'confirmation-missing')
      assert.equal(await confirm({ password, code: code() }), 'done')
      assert.equal(await change(), 'done')
      service.clock.advance({ seconds: 600 })
      assert.equal(await change(), 'confirmation-missing')
      const { options } = fits(PasskeyRequest as TSchema, await browser.call('beginConfirmation'))
      assert.deepEqual(options.allowCredentials, [{ type: 'public-key', id: authenticator.id }])
      const byPasskey = { credential: authenticator.get(options, { userHandle: undefined }) }
      assert.equal(await confirm(byPasskey), 'done')
      assert.equal(await confirm(byPasskey), 'passkey-refused', 'again')
      assert.equal(await change(), 'done')
      const lines = (await linesOf(service)).filter(({ action }) => action === 'confirmPerson')
      assert.deepEqual(
        lines.map(({ details }) => details.sent),
        [{}, {}],
      )
    },
  )

  test(it('a person has at most ten passkeys'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const options = await begin(browser)
    for (let n = 0; n < 9; n++) await add(browser, `Key ${n}`)
    const many = await Promise.all([begin(browser), begin(browser), begin(browser)])
    const answers = await Promise.all(
      many.map((each) =>
        browser.call('addPasskey', { name: 'Last', credential: testAuthenticator(origin).create(each) }),
      ),
    )
    assert.deepEqual(answers.map(problemOf).sort(), ['done', 'passkeys-too-many', 'passkeys-too-many'])
    assert.equal(problemOf(await browser.call('beginPasskey')), 'passkeys-too-many')
    const late = testAuthenticator(origin).create(options)
    assert.equal(problemOf(await browser.call('addPasskey', { name: 'Late', credential: late })), 'passkeys-too-many')
  })

  test(it('a passkey that was removed, or whose person was reset or removed, signs nobody in'), async (t) => {
    const service = await start(t, await open(t))
    const { browser } = await join(service)
    const first = await add(browser)
    assert.deepEqual((await browser.call('removePasskey', { passkeyId: first.passkeyId })).body, { removed: true })
    assert.equal(problemOf(await signIn(browserOf(service), first.authenticator)), 'passkey-refused')

    const tim = { ...maya, name: 'Tim', email: 'tim@shop.example' }
    const joined = await accept(service, await linkFor(service, 'viewer'), tim)
    const second = await add(joined.browser)
    const { personId } = joined
    const { people } = (await browser.call('listPeople')).body as { people: ListedPerson[] }
    assert.deepEqual(
      people.map(({ secondFactors }) => secondFactors.passkeys),
      [0, 1],
    )
    const reset = await browser.call('resetPerson', { personId }, { 'if-match': '*' })
    assert.equal(problemOf(reset), 'done')
    assert.equal(problemOf(await signIn(browserOf(service), second.authenticator)), 'passkey-refused')
    const again = await accept(service, new URL(reset.body.url).hash.slice(1), tim)
    const third = await add(again.browser)
    assert.equal(problemOf(await browser.call('removePerson', { personId }, { 'if-match': '*' })), 'done')
    assert.equal(problemOf(await signIn(browserOf(service), third.authenticator)), 'passkey-refused')
    const left = await service.parts.database.query('select 1 as row from passkey')
    assert.equal(left.length, 0)
  })

  test(it('wrong answers are bounded, and lock out neither password nor other passkeys'), async (t) => {
    const service = await start(t, await open(t))
    const { browser, code } = await join(service)
    const { authenticator } = await add(browser)
    const second = await add(browser)
    const stranger = browserOf(service)
    for (let n = 0; n < 10; n++)
      assert.equal(problemOf(await signIn(stranger, authenticator, { isVerified: false })), 'passkey-refused')
    assert.equal(problemOf(await signIn(stranger, authenticator)), 'rate-limited')
    assert.equal(problemOf(await signIn(browserOf(service), second.authenticator)), 'done')
    const byPassword = browserOf(service).call('signIn', { email: maya.email, password, code: code() })
    assert.equal(problemOf(await byPassword), 'done')
    service.clock.advance({ seconds: 600 })
    assert.equal(problemOf(await signIn(stranger, authenticator)), 'done')
  })

  test(
    it('the database has neither credential id nor public key in clear, and used challenges leave it'),
    async (t) => {
      const service = await start(t, await open(t))
      const { browser } = await join(service)
      const { authenticator } = await add(browser, 'The grey laptop')
      const { database } = service.parts
      const rows = await database.query<Record<string, unknown>>('select * from passkey')
      const stored = Buffer.concat(
        rows.flatMap((row) =>
          Object.values(row).map((value) => Buffer.from(value instanceof Uint8Array ? value : String(value))),
        ),
      )
      for (const clear of [
        Buffer.from(authenticator.id, 'base64url'),
        Buffer.from(authenticator.id),
        Buffer.from('grey'),
      ])
        assert.equal(stored.includes(clear), false)
      const count = async () => (await database.query('select 1 as row from used_challenge')).length
      assert.equal(await count(), 1)
      await dropEndedSessions(service.parts)
      assert.equal(await count(), 1)
      service.clock.advance({ seconds: 360 })
      await dropEndedSessions(service.parts)
      assert.equal(await count(), 0)
    },
  )

  test(it('a client key has no passkeys'), async (t) => {
    const service = await start(t, await open(t))
    const call = await adminClient(service, 'owner')
    for (const name of ['listPasskeys', 'beginPasskey', 'beginConfirmation'] as const)
      assert.equal(problemOf(await call(name)), 'person-missing', name)
    assert.equal(problemOf(await call('removePasskey', { passkeyId: 'x' })), 'person-missing')
  })
})

const randomChallenge = () => Buffer.from(crypto.getRandomValues(new Uint8Array(56))).toString('base64url')
