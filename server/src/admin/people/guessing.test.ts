import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminEndpointName, consoleCookie } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient } from '../testing.ts'
import { passwordHashes } from './password-hashes.ts'
import { browserOf, fromBase32, join, linkFor, maya, password } from './testing.ts'
import { codeOf } from './totp.ts'
import { weakPasswords } from './weak-password.ts'

async function linesOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 200 })
  return rows.map((row) => openAuditLine(row, keys))
}

test('a password that is frequent, repeated, a sequence, or contains name or address is weak; others are not', () => {
  const { refuse } = weakPasswords()
  const by = { name: 'Maya Lindqvist', email: 'm.lindqvist@shop.example' }
  const isWeak = (text: string) => {
    try {
      refuse(text, by)
      return false
    } catch (error) {
      return error instanceof Refusal && error.failure === 'passwordWeak'
    }
  }
  for (const weak of [
    ...[
      'qwertyuiop123',
      'QWERTYUIOP123',
      'administrator',
      '1qaz2wsx3edc',
      'aaaaaaaaaaaa',
      'abababababab',
      'abcdefghijkl',
    ],
    ...[
      '987654321098',
      'passwordpassword',
      'password2024',
      'P4ssw0rd!2024',
      '2024sunshine!',
      'dragondragon',
      'ｐａｓｓｗｏｒｄ２０２４',
    ],
    ...['Lindqvist-1987', 'my m.lindqvist', 'the shop is open', 'ringfence-2026!', 'a1a1a1a1a1a1a1'],
  ])
    assert.equal(isWeak(weak), true, weak)
  for (const strong of [
    ...[
      password,
      'tr0mb0ne.kettle.orbit',
      'ночь улица фонарь аптека',
      'may the fourth be long',
      'x7Lq9vRm2pTz',
      '眠い猫がキーボードの上で寝ている',
    ],
    ...['482910573829', 'password of my late uncle'],
  ])
    assert.equal(isWeak(strong), false, strong)
})

const from = (address: string) => ({ isKnown: false, address })

test('few passwords are hashed at once and few wait; more are refused with a time, and every place comes back', async () => {
  const started: (() => void)[] = []
  const whosePassword = () => new Promise<never[]>((resolve) => void started.push(() => resolve([])))
  const hashes = passwordHashes({ hashPassword: () => Promise.reject(new Error('broken')), whosePassword })
  const all = Array.from({ length: 33 }, (_, i) => hashes.whose('x', [], from(`203.0.${i % 9}.${i}`)))
  assert.equal(started.length, 1)
  await assert.rejects(hashes.whose('x', [], from('198.51.100.9')), (error: Refusal) => {
    assert.deepEqual([error.failure, error.details.retryAfterSeconds], ['unavailable', 2])
    return true
  })
  for (let i = 0; i < all.length; i++) {
    started[i]!()
    await all[i]
    await new Promise(setImmediate)
    assert.ok(started.length <= i + 2, 'one at once')
  }
  for (let i = 0; i < 5; i++)
    await assert.rejects(hashes.hash('correct horse battery', maya, from('203.0.113.7')), /broken/)
  const last = hashes.whose('x', [], from('203.0.113.7'))
  started.at(-1)!()
  assert.deepEqual(await last, [], 'a failure gives its place back')
})

test('a network has few waiting places, and who has signed in before has others, before all strangers', async () => {
  const order: string[] = []
  const work = {
    hashPassword: () => Promise.reject(new Error('not asked')),
    whosePassword: async (text: string) => {
      order.push(text)
      return []
    },
  }
  const hashes = passwordHashes(work)
  const ask = (text: string, address: string, isKnown = false) =>
    hashes.whose(text, [], { isKnown, address }).then(
      () => true,
      (error: Refusal) => error.details.retryAfterSeconds,
    )
  const running = [ask('a', '203.0.113.1')]
  const ofOne = Array.from({ length: 40 }, (_, i) =>
    ask(`flood ${i}`, i % 2 ? `203.0.113.${i}` : `::ffff:203.0.113.${i}`),
  )
  const ofAnother = Array.from({ length: 40 }, (_, i) => ask(`six ${i}`, `2001:db8:0:${i.toString(16)}::1`))
  const others = Array.from({ length: 60 }, (_, i) => ask(`other ${i}`, `198.51.${i}.1`))
  const known = Array.from({ length: 40 }, (_, i) => ask(`known ${i}`, '203.0.113.1', true))
  const admitted = async (asked: Promise<unknown>[]) =>
    (await Promise.all(asked)).filter((answer) => answer === true).length
  assert.deepEqual(
    [
      await admitted(running),
      await admitted(ofOne),
      await admitted(ofAnother),
      await admitted(others),
      await admitted(known),
    ],
    [1, 4, 2, 26, 32],
  )
  assert.ok(
    order.slice(1, 33).every((text) => text.startsWith('known')),
    order.join(),
  )
  assert.equal(await ask('later', '203.0.113.1'), true)
})

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('strangers of many networks keep nobody out of a browser in which they signed in before'), async (t) => {
    const settings = { trustedProxies: '127.0.0.1', appRateBurst: 1000, overloadDelayMs: 60_000 }
    const service = await startTestService(t, await open(t), { settings })
    const { browser, code } = await join(service)
    await browser.call('signOut')
    const guess = { password: 'wrong wrong wrong 1', code: '123456' }
    const flood = Array.from({ length: 120 }, (_, i) =>
      browserOf(service).call(
        'signIn',
        { email: `x${i}@y.example`, ...guess },
        { 'x-forwarded-for': `203.0.${i % 30}.7` },
      ),
    )
    const own = await browser.call(
      'signIn',
      { email: maya.email, password, code: code() },
      { 'x-forwarded-for': '198.51.100.9' },
    )
    assert.equal(own.status, 200, JSON.stringify(own.body))
    const answers = await Promise.all(flood)
    for (const { status, headers } of answers) {
      assert.ok(status === 401 || status === 503, String(status))
      if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0)
    }
  })

  test(it('who read a one-time link before does not know the second factor of who accepts it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const link = await linkFor(service, 'owner')
    const [thief, owner] = [browserOf(service), browserOf(service)]
    const totpFor = async (browser: typeof thief) => (await browser.call('openInvitation', { link })).body.totp
    const [seen, own] = [await totpFor(thief), await totpFor(owner)]
    assert.notEqual(seen.secret, own.secret)
    const codeFor = (secret: string) => codeOf(fromBase32(secret), Math.floor(service.clock.now() / 30_000))
    const accept = (fields: object) => owner.call('acceptInvitation', { link, ...maya, ...fields })
    const refused = async (fields: object) => assert.equal((await accept(fields)).status, 401)
    await refused({ code: codeFor(seen.secret) })
    await refused({ code: codeFor(own.secret), totpSetup: seen.setup })
    await refused({ code: codeFor(own.secret), totpSetup: 'AAAA' })
    await refused({ code: codeFor(own.secret), totpSetup: undefined })
    const other = await linkFor(service, 'owner')
    const ofOther = (await thief.call('openInvitation', { link: other })).body.totp
    await refused({ code: codeFor(ofOther.secret), totpSetup: ofOther.setup })
    assert.equal((await accept({ code: codeFor(own.secret) })).status, 200)
  })

  test(it('a weak password is refused with what is wrong, and the link stays'), async (t) => {
    const service = await startTestService(t, await open(t))
    const link = await linkFor(service, 'owner')
    const browser = browserOf(service)
    const { totp } = (await browser.call('openInvitation', { link })).body
    const code = codeOf(fromBase32(totp.secret), Math.floor(service.clock.now() / 30_000))
    const accept = (chosen: string) => browser.call('acceptInvitation', { link, ...maya, password: chosen, code })
    const weak = await accept('password2024!')
    assert.deepEqual([weak.status, weak.body.type], [400, '/problems/password-weak'])
    assert.match(weak.body.detail, /frequent password/)
    assert.equal((await accept('i am maya and tired')).status, 400)
    assert.equal((await accept(password)).status, 200)
  })

  test(it('signing in again ends the session that the browser had, and no other one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code } = await join(service)
    const elsewhere = browserOf(service)
    const signIn = (one: typeof browser) => one.call('signIn', { email: maya.email, password, code: code() })
    assert.equal((await signIn(elsewhere)).status, 200)
    service.clock.advance({ seconds: 30 })
    const before = browser.cookies.get(consoleCookie)!
    assert.equal((await signIn(browser)).status, 200)
    const withCookie = (token: string) => browserOf(service).call('me', {}, { cookie: `${consoleCookie}=${token}` })
    assert.equal((await withCookie(before)).status, 401)
    assert.equal((await browser.call('me')).status, 200)
    assert.equal((await elsewhere.call('me')).status, 200)
    service.clock.advance({ seconds: 30 })
    const wrong = await browser.call('signIn', { email: maya.email, password: 'wrong', code: code() })
    assert.equal(wrong.status, 401)
    assert.equal((await browser.call('me')).status, 200, 'a failed sign-in ends nothing')
  })

  test(
    it('signing out removes the cookie, also of a session that has ended, and needs no page that still works'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { browser } = await join(service)
      service.clock.advance({ hours: 13 })
      const late = await browser.call('signOut', {}, { 'x-ringfence-csrf': '' })
      assert.deepEqual([late.status, late.body], [200, { signedOut: false }])
      assert.equal(browser.cookies.has(consoleCookie), false)
      assert.deepEqual((await browser.call('signOut')).body, { signedOut: false })
      const other = await join(service, 'viewer', { ...maya, name: 'Tim', email: 'tim@store.example' })
      const forged = await other.browser.call('signOut', {}, { 'sec-fetch-site': 'cross-site' })
      assert.equal(forged.status, 403, 'no other site signs anybody out')
      assert.deepEqual((await other.browser.call('signOut')).body, { signedOut: true })
      assert.equal((await linesOf(service)).at(-1)!.action, 'signOut')
    },
  )

  test(
    it('failed sign-ins and refused calls are audit lines with who and from where, and nobody can flood the log'),
    async (t) => {
      const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
      const { browser, code } = await join(service, 'viewer')
      const before = (await linesOf(service)).length
      const stranger = browserOf(service)
      const attempt = (fields: object) =>
        stranger.call('signIn', { email: maya.email, password, code: '000000', ...fields })
      await attempt({ password: 'wrong' })
      await attempt({})
      await attempt({ code: undefined, recoveryCode: 'wrong' })
      await attempt({ email: 'nobody@shop.example' })
      await attempt({ code: undefined })
      const failed = (await linesOf(service)).slice(before)
      assert.deepEqual(
        failed.map(({ action, details }) => [action, details.name, details.wrong, details.ipAddress]),
        ['password', 'code', 'recoveryCode', 'codeMissing'].map((wrong) => [
          'signInFailed',
          'Maya',
          wrong,
          '127.0.0.1',
        ]),
      )
      for (let guess = 0; guess < 30; guess++) await attempt({ password: `guess ${guess}` })
      assert.ok((await linesOf(service)).length <= before + 10, 'as many lines as attempts')

      const list = { name: 'mules', kind: 'phoneNumber', purpose: 'block' }
      const refusedBy = async (call: () => Promise<{ status: number }>) => {
        const count = (await linesOf(service)).length
        for (let i = 0; i < 20; i++) assert.equal((await call()).status, 403)
        return (await linesOf(service)).slice(count)
      }
      const lacks = await refusedBy(() => browser.call('createList', list))
      assert.ok(lacks.length >= 1 && lacks.length <= 6, String(lacks.length))
      const { action, details } = lacks[0]!
      assert.deepEqual(
        [action, details.name, details.call, details.failure, details.why],
        ['refused', 'Maya', 'POST /v1/lists/create', 'permissionMissing', 'viewer lacks lists.write'],
      )
      service.clock.advance({ seconds: 60 })
      const forged = await refusedBy(() =>
        browser.call('describeLists' as AdminEndpointName, {}, { 'sec-fetch-site': 'cross-site' }),
      )
      assert.equal(forged[0]?.details.failure, 'requestForged')
      const client = await adminClient(service, 'viewer')
      const ofClient = await refusedBy(() => client('createList', list))
      assert.match(ofClient[0]!.actor, /^client:rfc_/)
      assert.ok(code)
    },
  )

  test(it('recovery codes have 120 random bits'), async (t) => {
    const { recoveryCodes } = await join(await startTestService(t, await open(t)))
    for (const each of recoveryCodes) assert.match(each, /^([a-km-np-z2-9]{6}-){3}[a-km-np-z2-9]{6}$/)
  })
})
