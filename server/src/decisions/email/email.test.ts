// What does a decision know of an email address, and of the accounts that share its mailbox?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { ruleSetOf } from '../../rules/rule-set.ts'
import { identity, tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const codesIn = ({ reasons }: Decision) => reasons.map(({ code }) => code)

/** Decides about a new user, unless the body names one. */
function signUps(service: TestService) {
  const { decide } = decisionCalls(service)
  let users = 0
  return async (body: object): Promise<Decision> => {
    const answer = await decide({ action: 'SIGNUP', userId: `user-${users++}`, ...body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('an answer has what the email address says, and nothing without one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const signUp = signUps(service)
    await decisionCalls(service).publish([])
    const of = async (body: object) => (await signUp(body)).email
    assert.deepEqual(await of({ email: 'Ada@a.Mailinator.com.' }), {
      ...{ domain: 'a.mailinator.com', disposable: true, freeMail: false, role: false, accountsOfMailbox: 1 },
    })
    assert.deepEqual(await of({ email: 'ada@gamil.con' }), {
      ...{ domain: 'gamil.con', disposable: false, freeMail: false, role: false, suggestedDomain: 'gmail.com' },
      accountsOfMailbox: 1,
    })
    assert.equal((await of({ email: 'info@shop.example' }))!.role, true)
    assert.equal((await of({ email: 'ada@gmail.com' }))!.freeMail, true)
    assert.equal(await of({}), undefined, 'unknown is not clean')
    const ofSignIn = { ...identity, identityType: 'EMAIL', identityValue: 'ada@yopmail.com', methods: ['EMAIL'] }
    const token = await tokenCalls(service).issue({ userId: 'ada', identities: [ofSignIn] })
    assert.equal((await of({ userId: 'ada', token }))!.disposable, true, 'of the sign-in')
  })

  test(it('the default rules warn of a disposable address at sign-up only, and stop no honest one'), async (t) => {
    const service = await startTestService(t, await open(t))
    await decisionCalls(service).publish([])
    await service.parts.rules.live(service.tenantId, 0, { by: 'test' }, { untried: true })
    service.clock.advance({ seconds: 1 })
    const signUp = signUps(service)
    const disposable = await signUp({ email: 'a@mailinator.com' })
    assert.ok(codesIn(disposable).includes('EMAIL_DISPOSABLE'))
    assert.ok(disposable.rules.fired.includes('disposable-email'))
    const login = await signUp({ action: 'PAYMENT', email: 'b@mailinator.com' })
    assert.ok(!login.rules.fired.includes('disposable-email') && !codesIn(login).includes('EMAIL_DISPOSABLE'))
    for (const [email, code] of [
      ['info@shop.example', 'EMAIL_OF_A_ROLE'],
      ['ada@gamil.con', 'EMAIL_TYPING_ERROR'],
    ] as const) {
      const { rules, reasons, score } = await signUp({ email })
      assert.ok(reasons.some((reason) => reason.code === code))
      assert.deepEqual(rules.fired, [], email)
      const weights = reasons.map(({ code: each, weight }) => (each === code ? weight : 0))
      assert.ok(Math.max(...weights) <= 5, `${email}: ${score}`)
    }
  })

  test(it('a thief with one mailbox is one mailbox, however he writes the address'), async (t) => {
    const service = await startTestService(t, await open(t))
    const signUp = signUps(service)
    const name = 'thethiefofall'
    const writings = Array.from({ length: 50 }, (_, i) => {
      const dotted = `${name.slice(0, 1 + (i % 12))}.${name.slice(1 + (i % 12))}`
      const cased = i % 2 === 0 ? dotted.toUpperCase() : dotted
      const tagged = i % 3 === 0 ? `${cased}+${i}` : cased
      return `${tagged}@${['gmail.com', 'GoogleMail.com', 'gmail.com.', 'ｇmail.com'][i % 4]}`
    })
    const made: Decision[] = []
    for (const email of writings) made.push(await signUp({ email }))
    assert.deepEqual(
      made.map(({ email }) => email!.accountsOfMailbox),
      writings.map((_, i) => i + 1),
    )
    assert.ok(made.slice(4).every((each) => codesIn(each).includes('MAILBOX_OF_MANY_ACCOUNTS')))
    assert.ok(made.slice(0, 4).every((each) => !codesIn(each).includes('MAILBOX_OF_MANY_ACCOUNTS')))
    assert.ok(made.at(-1)!.rules.fired.includes('many-accounts-of-mailbox'))
    const victim = await signUp({ action: 'LOGIN', userId: 'user-0', email: `${name}@gmail.com` })
    assert.ok(!codesIn(victim).includes('MAILBOX_OF_MANY_ACCOUNTS'), 'anybody can sign up with the address of somebody')
    assert.equal((await signUp({ email: 'another@gmail.com' })).email!.accountsOfMailbox, 1)
    assert.equal((await signUp({ email: `x@${name}.mailinator.com` })).email!.disposable, true)
  })

  test(it('a user counts once, an address without a user until it has one, and both for 30 days'), async (t) => {
    const service = await startTestService(t, await open(t))
    const signUp = signUps(service)
    const accounts = async (body: object) => (await signUp(body)).email!.accountsOfMailbox
    assert.equal(await accounts({ userId: undefined, email: 'ada@gmail.com' }), 1)
    assert.equal(await accounts({ userId: 'ada', email: 'ada@gmail.com' }), 1)
    assert.equal(await accounts({ userId: 'ada', email: 'a.da@gmail.com' }), 1)
    assert.equal(await accounts({ userId: undefined, email: 'ada+1@gmail.com' }), 2)
    service.clock.advance({ hours: 8 * 24 })
    assert.equal(await accounts({ userId: 'ben', email: 'ada+2@gmail.com' }), 3)
    service.clock.advance({ hours: 23 * 24 })
    assert.equal(await accounts({ userId: 'ben', email: 'ada+2@gmail.com' }), 1)
  })

  test(it('a list of domains to allow says that a domain is not disposable, also below it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const signUp = signUps(service)
    const call = async (name: 'createList' | 'addListEntries', body: object) =>
      assert.equal((await service.post(endpoints[name].path, body)).status, 200)
    const disposable = async (email: string) => (await signUp({ email })).email!.disposable
    await call('createList', { name: 'watched', kind: 'emailDomain', purpose: 'watch' })
    await call('addListEntries', { name: 'watched', entries: [{ value: 'mailinator.com' }] })
    service.clock.advance({ seconds: 1 })
    assert.equal(await disposable('a@team.mailinator.com'), true)
    await call('createList', { name: 'ours', kind: 'emailDomain', purpose: 'allow' })
    await call('addListEntries', { name: 'ours', entries: [{ value: 'mailinator.com' }] })
    service.clock.advance({ seconds: 1 })
    for (const _ of ['store', 'memory']) {
      assert.equal(await disposable('a@team.mailinator.com'), false)
      assert.equal(await disposable('a@yopmail.com'), true)
      await service.parts.rules.lookUps.memory.settled()
    }
  })

  test(it('rules read the address and count per mailbox; a setting says which addresses are one'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { emailFolding: 'none' } })
    const { parts: needs, tenantId, clock } = service
    const rule = { id: 'r', name: 'R', action: 'WARN', score: 1 }
    const ruleSet = ruleSetOf({
      require: {},
      velocity: { tries: { count: 'decisions', per: 'emailMailbox', within: '24h' } },
      rules: [{ ...rule, when: 'velocity.tries >= 2 and email.freeMail and email.domain == "gmail.com"' }],
    })
    const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })
    const signUp = signUps(service)
    const fired = async (email: string) => (await signUp({ email })).rules.fired
    assert.deepEqual(await fired('ada@gmail.com'), [])
    assert.deepEqual(await fired('a.da@gmail.com'), [], 'another mailbox')
    assert.deepEqual(await fired('ADA@gmail.com'), ['r'])
  })

  test(it('refuses what is no email address, and says why'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    for (const email of [
      ...[`${'a'.repeat(10_000)}@gmail.com`, '', null, 7, true, [], {}, '@gmail.com', 'gmail.com'],
      ...[
        '"ada lovelace"@gmail.com',
        '"a@b"@gmail.com',
        'ada@[192.0.2.1]',
        'ada@192.0.2.1',
        'ada@gmail',
        'ada@gmail.com..',
      ],
      ...['\u212Aate@gmail.com', 'ada\u200b@gmail.com', 'a b@gmail.com', 'ada@-gmail.com', 'ada..l@gmail.com'],
    ]) {
      const { status, body } = await decide({ action: 'SIGNUP', email })
      assert.equal(status, 400, JSON.stringify(email)?.slice(0, 60))
      assert.match(JSON.stringify(body), /email/)
    }
    for (const email of ['+@gmail.com', '+1@gmail.com', 'ADA@GMAIL.COM.', '!@gmail.com', 'ada@gm\u0430il.com'])
      assert.equal((await decide({ action: 'SIGNUP', email })).status, 200, email)
  })
})
