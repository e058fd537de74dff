import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AuthenticatorSetup,
  ChangedPassword,
  MyFactors,
  NewRecoveryCodes,
  ReplacedAuthenticator,
} from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient } from '../testing.ts'
import { browserOf, fromBase32, join, maya, password } from './testing.ts'
import { codeOf } from './totp.ts'

const newPassword = 'the next long sentence'

async function answerOf(call: Promise<{ status: number; body: { type?: string } }>) {
  const { status, body } = await call
  return status === 200 ? 'done' : body.type!.replace('/problems/', '')
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a new password needs the present one and a new code, and ends the other sessions'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code, recoveryCodes } = await join(service)
    const elsewhere = browserOf(service)
    const [recoveryCode] = recoveryCodes
    assert.equal(await answerOf(elsewhere.call('signIn', { email: maya.email, password, recoveryCode })), 'done')
    const change = (fields: object) =>
      browser.call('changePassword', { password, code: code(), newPassword, ...fields })
    assert.equal(await answerOf(change({ password: 'wrong' })), 'console-sign-in-failed')
    assert.equal(await answerOf(change({ code: '000000' })), 'console-sign-in-failed')
    assert.equal(await answerOf(change({ newPassword: 'short' })), 'field-invalid')
    assert.equal(await answerOf(elsewhere.call('me')), 'done', 'nothing has changed yet')
    const used = code()
    const changed = await change({})
    assert.deepEqual([...Value.Errors(ChangedPassword as TSchema, changed.body)], [])
    assert.deepEqual(changed.body, { endedSessions: 1 })
    assert.equal(await answerOf(elsewhere.call('me')), 'not-signed-in')
    assert.equal(await answerOf(browser.call('me')), 'done')
    assert.equal(await answerOf(change({ password: newPassword, code: used })), 'console-sign-in-failed')
    service.clock.advance({ seconds: 30 })
    const signIn = (fields: object) =>
      answerOf(elsewhere.call('signIn', { email: maya.email, code: code(), ...fields }))
    assert.equal(await signIn({ password }), 'console-sign-in-failed')
    assert.equal(await signIn({ password: newPassword }), 'done')
  })

  for (const name of ['signIn', 'changePassword', 'renewRecoveryCodes'] as const)
    test(it(`a reset wins over a proof in progress: ${name}`), async (t) => {
      const service = await startTestService(t, await open(t))
      const owner = await join(service)
      const tim = { name: 'Tim', email: 'tim@shop.example', password }
      const { browser, code, personId } = await join(service, 'analyst', tim)
      const { people } = (await owner.browser.call('listPeople')).body
      const { version } = people.find((each: { personId: string }) => each.personId === personId)
      const { passwords } = service.parts.admin.people
      const whose = passwords.whose.bind(passwords)
      let reset: { status: number } | undefined
      t.mock.method(passwords, 'whose', async (...proof: Parameters<typeof whose>) => {
        const matching = await whose(...proof)
        reset ??= await owner.browser.call('resetPerson', { personId }, { 'if-match': `"${version}"` })
        return matching
      })
      const proof = { password, code: code() }
      const { [name]: fields } = {
        signIn: { email: tim.email, ...proof },
        changePassword: { ...proof, newPassword },
        renewRecoveryCodes: proof,
      }
      const from = name === 'signIn' ? browserOf(service) : browser
      assert.equal(await answerOf(from.call(name, fields)), 'console-sign-in-failed')
      assert.equal(reset?.status, 200)
      assert.equal(await answerOf(from.call('me')), 'not-signed-in')
      const { people: after } = (await owner.browser.call('listPeople')).body
      const { secondFactors } = after.find((each: { personId: string }) => each.personId === personId)
      assert.deepEqual(secondFactors, { authenticatorApp: false, recoveryCodes: 0, passkeys: 0 })
    })

  test(it('new recovery codes replace the previous ones'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code, recoveryCodes: before } = await join(service)
    const elsewhere = browserOf(service)
    const signIn = (recoveryCode: string | undefined) =>
      answerOf(elsewhere.call('signIn', { email: maya.email, password, recoveryCode }))
    assert.equal(await signIn(before[0]), 'done')
    const factors = await browser.call('readFactors')
    assert.deepEqual([...Value.Errors(MyFactors as TSchema, factors.body)], [])
    assert.deepEqual(factors.body, { authenticatorApp: true, recoveryCodes: 9 })
    const wrong = browser.call('renewRecoveryCodes', { password: 'wrong', code: code() })
    assert.equal(await answerOf(wrong), 'console-sign-in-failed')
    const { body } = await browser.call('renewRecoveryCodes', { password, code: code() })
    assert.deepEqual([...Value.Errors(NewRecoveryCodes as TSchema, body)], [])
    assert.equal(await signIn(before[1]), 'console-sign-in-failed')
    assert.equal(await signIn(body.recoveryCodes[0]), 'done')
    assert.equal((await browser.call('readFactors')).body.recoveryCodes, 9)
  })

  test(it('the audit log has both changes, and neither password nor code'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code } = await join(service)
    const guess = { password: 'a guess', code: '000000', newPassword }
    assert.equal(await answerOf(browser.call('changePassword', guess)), 'console-sign-in-failed', 'which has no line')
    await browser.call('changePassword', { password, code: code(), newPassword })
    service.clock.advance({ seconds: 30 })
    const lastCode = code()
    await browser.call('renewRecoveryCodes', { password: newPassword, code: lastCode })
    const { parts: needs, tenantId } = service
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })
    const lines = rows.map((row) => openAuditLine(row, keys))
    const changes = lines.filter(({ action }) => action === 'changePassword' || action === 'renewRecoveryCodes')
    assert.equal(changes.length, 2)
    for (const line of changes) assert.deepEqual(line.details.sent, {}, line.action)
  })

  test(it('a new authenticator app replaces the present one when its code is confirmed, and not before'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { browser, code, recoveryCodes } = await join(service)
    const elsewhere = browserOf(service)
    const recoveryCode = recoveryCodes[0]
    assert.equal(await answerOf(elsewhere.call('signIn', { email: maya.email, password, recoveryCode })), 'done')
    const begun = await browser.call('beginAuthenticator')
    assert.deepEqual([...Value.Errors(AuthenticatorSetup as TSchema, begun.body)], [])
    const { secret, setup } = begun.body
    const newCode = () => codeOf(fromBase32(secret), Math.floor(service.clock.now() / 30_000))
    const replace = (fields: object) => browser.call('replaceAuthenticator', { setup, code: newCode(), ...fields })
    assert.equal(await answerOf(replace({ code: code() })), 'console-sign-in-failed', 'a code of the present app')
    assert.equal(await answerOf(replace({ setup: 'AAAA' })), 'console-sign-in-failed')
    const other = (await elsewhere.call('beginAuthenticator')).body
    assert.equal(await answerOf(replace({ setup: other.setup })), 'console-sign-in-failed', 'of another session')
    const signIn = (fields: object) =>
      answerOf(browserOf(service).call('signIn', { email: maya.email, password, ...fields }))
    assert.equal(await signIn({ code: newCode() }), 'console-sign-in-failed', 'not confirmed')
    assert.equal(await signIn({ code: code() }), 'done')

    const replaced = await replace({})
    assert.deepEqual([...Value.Errors(ReplacedAuthenticator as TSchema, replaced.body)], [])
    assert.deepEqual(replaced.body, { endedSessions: 2 })
    assert.equal(await answerOf(elsewhere.call('me')), 'not-signed-in')
    assert.equal(await signIn({ code: newCode() }), 'console-sign-in-failed', 'it was used to confirm')
    service.clock.advance({ seconds: 30 })
    assert.equal(await signIn({ code: code() }), 'console-sign-in-failed')
    assert.equal(await signIn({ code: newCode() }), 'done')
    assert.equal(await signIn({ recoveryCode: recoveryCodes[1] }), 'done', 'they stay, unless new ones are wanted')

    service.clock.advance({ seconds: 600 })
    assert.equal(await answerOf(browser.call('beginAuthenticator')), 'confirmation-missing')
    assert.equal(await answerOf(replace({})), 'confirmation-missing')
    assert.equal(await answerOf(browser.call('confirmPerson', { password, code: newCode() })), 'done')
    const third = (await browser.call('beginAuthenticator')).body
    const thirdCode = codeOf(fromBase32(third.secret), Math.floor(service.clock.now() / 30_000))
    const again = await replace({ setup: third.setup, code: thirdCode, newRecoveryCodes: true })
    assert.equal(again.body.recoveryCodes.length, 10)
    assert.equal(await signIn({ recoveryCode: recoveryCodes[2] }), 'console-sign-in-failed')
    assert.equal(await signIn({ recoveryCode: again.body.recoveryCodes[0] }), 'done')

    const keys = await service.parts.tenantKeyring.keysOf(service.tenantId)
    const rows = await auditLinesAfter(service.parts.database, { tenantId: service.tenantId, after: 0, limit: 100 })
    const lines = rows.map((row) => openAuditLine(row, keys)).filter(({ action }) => action === 'replaceAuthenticator')
    assert.deepEqual(
      lines.map(({ details }) => details.sent),
      [{}, { newRecoveryCodes: true }],
    )
  })

  test(it('a client key has no account'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'owner')
    assert.equal(await answerOf(call('readFactors')), 'person-missing')
    assert.equal(await answerOf(call('changePassword', { password, code: '123456', newPassword })), 'person-missing')
  })
})
