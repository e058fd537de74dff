import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AdminEndpointName, ConsoleSessions, consoleCookie, Me } from '@ringfence/contract'
import Value from 'typebox/value'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { insertPerson } from '../store/people.ts'
import { callAdmin } from '../testing.ts'
import { sealPerson } from './person.ts'
import { browserOf, fromBase32, join, linkFor, maya, password } from './testing.ts'
import { base32Of, codeOf } from './totp.ts'

async function actionsOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })
  return rows.map((row) => openAuditLine(row, keys)).map(({ action, details }) => `${action} ${details.name}`)
}

test('base32 and codes are those of the RFCs', () => {
  // RFC 4648, 10 and RFC 6238, appendix B (its last six digits).
  assert.equal(base32Of(Buffer.from('foobar')), 'MZXW6YTBOI')
  const secret = Buffer.from('12345678901234567890')
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [20000000000, '353130'],
  ] as const)
    assert.equal(codeOf(secret, Math.floor(seconds / 30)), code)
})

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a one-time link makes an owner, who is signed in; the link works once and ends'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, link, recoveryCodes } = await join(service)
    const me = (await browser.call('me')).body
    assert.deepEqual([...Value.Errors(Me, me)], [])
    assert.deepEqual([me.person.name, me.person.email, me.role, me.tenant.name], ['Maya', maya.email, 'owner', 'test'])
    assert.equal(new Set(recoveryCodes).size, 10)
    const other = browserOf(service)
    assert.deepEqual((await other.call('openInvitation', { link })).body.type, '/problems/invitation-unknown')
    const late = await linkFor(service, 'owner')
    service.clock.advance({ seconds: 900 })
    assert.equal((await other.call('openInvitation', { link: late })).status, 404)
    assert.equal((await other.call('openInvitation', { link: `rfl_${'0'.repeat(48)}` })).status, 404)
    assert.deepEqual(await actionsOf(service), ['acceptInvitation Maya', 'signIn Maya'])
  })

  test(it('a link for an email address is of no use to another one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const link = await linkFor(service, 'admin', { email: 'Tim@Shop.example' })
    const browser = browserOf(service)
    const { totp } = (await browser.call('openInvitation', { link })).body
    const code = codeOf(fromBase32(totp.secret), Math.floor(service.clock.now() / 30_000))
    assert.equal((await browser.call('acceptInvitation', { link, ...maya, code })).status, 404)
    const tim = { name: 'Tim', email: 'tim@shop.example', password }
    assert.equal((await browser.call('acceptInvitation', { link, ...tim, code: '000000' })).status, 401)
    assert.equal((await browser.call('acceptInvitation', { link, ...tim, code })).body.me.role, 'admin')
  })

  test(
    it('each writing of an address is one person, and the address of a similar letter is another one'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const accept = async (email: string) => {
        const link = await linkFor(service, 'admin', { email })
        const browser = browserOf(service)
        const { totp } = (await browser.call('openInvitation', { link })).body
        const code = codeOf(fromBase32(totp.secret), Math.floor(service.clock.now() / 30_000))
        const { status, body } = await browser.call('acceptInvitation', { link, name: 'Kim', email, password, code })
        return status === 200 ? body.me.person.email : body.detail
      }
      const signIn = async (email: string) => (await browserOf(service).call('signIn', { email, password })).body.type
      const [failed, factor] = ['/problems/console-sign-in-failed', '/problems/second-factor-missing']
      assert.equal(await accept('Kim@Bücher.example'), 'kim@xn--bcher-kva.example')
      for (const email of ['kim@bücher.example', 'KIM@xn--bcher-kva.example', ' kim@BÜCHER.example. ']) {
        assert.equal(await signIn(email), factor, email)
      }
      for (const email of ['\u212Aim@bücher.example', '\uFF4Bim@bücher.example', 'k\u200bim@bücher.example']) {
        assert.equal(await signIn(email), failed, email)
      }
      assert.match(await accept('\u212Aim@bücher.example'), /email must be an email address .*U\+212A/)
      assert.match(await accept('kim@intranet'), /email must be an email address .*no domain/)
    },
  )

  test(it('whoever has an account of an older version still signs in, by its own address only'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs } = service
    const hash = await needs.admin.people.passwords.hash(
      password,
      { name: 'Kim', email: '' },
      { isKnown: false, address: undefined },
    )
    for (const email of ['Kim@Bücher.example', 'kim@intranet']) {
      const id = randomUUID()
      // As older versions did.
      const folded = email.trim().normalize('NFKC').toLowerCase()
      const row = { id, emailHash: needs.keyring.hashSecret(`person ${folded}`), lastCodeStep: 0, createdAt: 0 }
      const sealed = sealPerson(id, { name: 'Kim', email, password: hash, totpSecret: 'AAAA' }, needs.keyring)
      await needs.database.transaction((tx) => insertPerson(tx, { ...row, sealed }))
    }
    const signIn = async (email: string) => (await browserOf(service).call('signIn', { email, password })).body.type
    const [failed, factor] = ['/problems/console-sign-in-failed', '/problems/second-factor-missing']
    for (const email of ['Kim@Bücher.example', 'kim@xn--bcher-kva.example', 'KIM@Intranet']) {
      assert.equal(await signIn(email), factor, email)
    }
    for (const email of ['\uFF4Bim@bücher.example', '\u212Aim@intranet', '\uFF4Bim@intranet']) {
      assert.equal(await signIn(email), failed, email)
    }
  })

  test(it('signs in with password and code; a code works once, a recovery code too'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { code, recoveryCodes } = await join(service)
    const browser = browserOf(service)
    const { email } = maya
    const tryWith = async (fields: object) => {
      const { status, body } = await browser.call('signIn', fields)
      return status === 200 ? 'in' : body.type
    }
    const [failed, factor] = ['/problems/console-sign-in-failed', '/problems/second-factor-missing']
    const now = code()
    assert.equal(await tryWith({ email, password }), factor)
    assert.equal(await tryWith({ email, password: 'wrong', code: now }), failed)
    assert.equal(await tryWith({ email: 'nobody@shop.example', password, code: now }), failed)
    assert.equal(await tryWith({ email: 'MAYA@shop.example', password, code: now }), 'in')
    assert.equal(await tryWith({ email, password, code: now }), failed, 'a code works once')
    for (let i = 0; i < 20; i++) {
      const { status, body } = await browser.call('signIn', { email, password, code: `${i}` })
      assert.deepEqual([status, body.type], [400, '/problems/field-invalid'], 'no attempt is counted')
      assert.match(body.detail, /code must be the 6 digits of the authenticator app/)
    }
    const [recoveryCode = ''] = recoveryCodes
    assert.equal(await tryWith({ email, password, recoveryCode: recoveryCode.toUpperCase() }), 'in')
    assert.equal(await tryWith({ email, password, recoveryCode }), failed)
    service.clock.advance({ seconds: 30 })
    assert.equal(await tryWith({ email, password, code: now }), failed, 'an older code than the last one')
    const typed = code().replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
    assert.equal(await tryWith({ email, password, code: `${typed.slice(0, 3)} ${typed.slice(3)}` }), 'in')
  })

  test(
    it('each sign-in has a new session; a session ends idle, after twelve hours, and when it is ended'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { browser, code } = await join(service)
      const fixed = browserOf(service)
      fixed.cookies.set(consoleCookie, 'chosen-by-an-attacker')
      assert.equal((await fixed.call('signIn', { email: maya.email, password, code: code() })).status, 200)
      assert.notEqual(fixed.cookies.get(consoleCookie), 'chosen-by-an-attacker')
      assert.notEqual(fixed.cookies.get(consoleCookie), browser.cookies.get(consoleCookie))

      const listed = (await browser.call('listSessions')).body
      assert.deepEqual([...Value.Errors(ConsoleSessions, listed)], [])
      assert.deepEqual(
        listed.sessions.map(({ current }: { current: boolean }) => current),
        [false, true],
      )
      const [{ sessionId }] = listed.sessions
      assert.deepEqual((await browser.call('endSession', { sessionId })).body, { ended: true })
      assert.deepEqual((await browser.call('endSession', { sessionId })).body, { ended: false })
      assert.equal((await fixed.call('me')).status, 401)

      for (let hours = 0; hours < 11; hours += 0.4) {
        assert.equal((await browser.call('me')).status, 200, `after ${hours} hours`)
        service.clock.advance({ seconds: 1440 })
      }
      assert.equal((await browser.call('me')).status, 200)
      service.clock.advance({ seconds: 1500 })
      assert.equal((await browser.call('me')).status, 200)
      service.clock.advance({ seconds: 1500 })
      assert.equal((await browser.call('me')).status, 401, 'after twelve hours')
    },
  )

  test(it('a session that is not used for half an hour ends; signing out ends it at once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code } = await join(service)
    service.clock.advance({ seconds: 1800 })
    assert.equal((await browser.call('me')).status, 401)
    assert.equal((await browser.call('signIn', { email: maya.email, password, code: code() })).status, 200)
    const token = browser.cookies.get(consoleCookie)!
    assert.deepEqual((await browser.call('signOut')).body, { signedOut: true })
    assert.equal(browser.cookies.has(consoleCookie), false)
    assert.equal((await browserOf(service).call('me', {}, { cookie: `${consoleCookie}=${token}` })).status, 401)
  })

  test(
    it('the cookie is out of reach for scripts and other sites, and no other page can use the session'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { browser, code } = await join(service)
      const list = { name: 'mules', kind: 'phoneNumber', purpose: 'block' }
      const refused = async (headers: Record<string, string>, name: AdminEndpointName = 'createList') => {
        const { status, body } = await browser.call(name, list, headers)
        assert.deepEqual([status, body.type], [403, '/problems/request-forged'], JSON.stringify(headers))
      }
      await refused({ 'x-ringfence-csrf': '' })
      await refused({ 'x-ringfence-csrf': 'x'.repeat(43) })
      await refused({ 'sec-fetch-site': 'cross-site' })
      await refused({ 'sec-fetch-site': 'same-site' })
      await refused({ origin: 'https://evil.example' })
      await refused({ origin: 'null' })
      await refused({ 'sec-fetch-site': 'cross-site' }, 'me')
      const signInElsewhere = { email: maya.email, password, code: code() }
      const forged = await browserOf(service).call('signIn', signInElsewhere, { origin: 'https://evil.example' })
      assert.equal(forged.status, 403, 'nobody is signed in by another site')
      assert.equal((await browser.call('createList', list, { 'sec-fetch-site': 'same-origin' })).status, 200)
      assert.equal((await browser.call('createList', { ...list, name: 'b' }, { origin: service.url })).status, 200)

      const answer = await callAdmin(service.url, 'signIn', signInElsewhere)
      for (const line of answer.headers.getSetCookie())
        assert.match(line, /^__Host-[a-z-]+=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict(; Max-Age=\d+)?$/)
      const changes = (await actionsOf(service)).filter((action) => action.startsWith('createList'))
      assert.deepEqual(changes, ['createList Maya', 'createList Maya'])
    },
  )

  test(it('whoever guesses locks out strangers for minutes, and never the browser of the person'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    const { browser, code } = await join(service)
    await browser.call('signOut')
    const { email } = maya
    const stranger = browserOf(service)
    for (let guess = 0; guess < 10; guess++)
      assert.equal((await stranger.call('signIn', { email, password: `guess ${guess}`, code: '123456' })).status, 401)
    assert.equal((await stranger.call('signIn', { email, password, code: code() })).status, 429)
    const other = { email: 'tim@shop.example', password, code: '123456' }
    assert.equal((await stranger.call('signIn', other)).status, 401, 'others are not affected')
    assert.equal((await browser.call('signIn', { email, password, code: code() })).status, 200)
    service.clock.advance({ seconds: 1200 })
    assert.equal((await stranger.call('signIn', { email, password, code: code() })).status, 200)
  })

  test(it('a person acts in each tenant with the role that they have there, and in no other'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code } = await join(service, 'viewer')
    const [second, third] = [
      await service.parts.tenantKeyring.createTenant('second'),
      await service.parts.tenantKeyring.createTenant('third'),
    ]
    const link = await linkFor(service, 'admin', { tenantId: second.id })
    const added = await browser.call('acceptInvitation', { link, ...maya, code: code() })
    assert.deepEqual([added.status, added.body.recoveryCodes], [200, []])
    const inTenant = (tenantId: string) => ({ 'x-ringfence-tenant': tenantId })
    const list = { name: 'mules', kind: 'phoneNumber', purpose: 'block' }
    assert.equal((await browser.call('me')).body.role, 'viewer')
    assert.equal((await browser.call('me', {}, inTenant(second.id))).body.role, 'admin')
    assert.equal((await browser.call('createList', list)).status, 403)
    assert.equal((await browser.call('createList', list, inTenant(second.id))).status, 200)
    assert.deepEqual((await browser.call('describeLists')).body.lists, [])
    const unknown = await browser.call('describeLists', {}, inTenant(third.id))
    assert.deepEqual([unknown.status, unknown.body.type], [404, '/problems/tenant-unknown'])
  })

  test(it('neither names, addresses, passwords nor tokens are in the store in clear'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const { browser, link, recoveryCodes } = await join(service)
    const stored = JSON.stringify(
      [
        ...(await database.query('select id, email_hash, sealed from person')),
        ...(await database.query('select person_id, code_hash from recovery_code')),
        ...(await database.query('select token_hash, person_id from console_session')),
        ...(await database.query('select actor, action, sealed from audit_line')),
      ].map((row) =>
        Object.values(row).map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
      ),
    )
    for (const secret of ['Maya', maya.email, password, link, recoveryCodes[0]!, browser.cookies.get(consoleCookie)!])
      assert.equal(stored.includes(secret), false, secret)
  })
})
