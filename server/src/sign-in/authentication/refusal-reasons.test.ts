// The tenant's audit lines say why a sign-in was refused. Does the person who signs in learn none of it?

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { type FailureName, failures, signInFailures } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { signals } from '../../device/signals/index.ts'
import { errorFormats } from '../../http/response/error-formats.ts'
import { reasonsWith } from '../../rules/reasons/catalogue.ts'
import { refusalReasons } from '../../rules/reasons/refusal-reasons.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import type { TestAnswer } from '../../testing/test-service.ts'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { anotherOtp, email, redirectUrl, type SignInService, startSignInService } from './testing/sign-in-service.ts'

/** The last digits choose the sandbox's result: its SIM was swapped, its calls are forwarded. */
const swapped = { type: 'MOBILE', value: '61491570110' } as const
const ordinary = { type: 'MOBILE', value: '917020141726' } as const

const codes = [...reasonsWith(signals), ...refusalReasons].map(({ code }) => code)
const anyCode = new RegExp(`\\b(${codes.join('|')})\\b`)

interface AuditLine {
  path?: string
  appId?: string
  failure?: FailureName
  gate?: object
  outcome?: string
  reasons?: string[]
}

async function auditFile(t: Ending) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-audit-'))
  t.after(() => rm(folder, { recursive: true }))
  const auditLog = join(folder, 'audit.log')
  /** The lines once they are complete: they are written together, a tenth of a second later. */
  const linesUntil = async (isComplete: (lines: AuditLine[]) => boolean): Promise<AuditLine[]> => {
    for (;;) {
      const text = await readFile(auditLog, 'utf8').catch(() => '')
      const lines = text.split('\n').slice(0, -1)
      const read = lines.map((line): AuditLine => JSON.parse(line))
      if (isComplete(read)) return read
      await after(20)
    }
  }
  return { auditLog, linesUntil }
}

const seenBy = ({ body, headers }: TestAnswer) => JSON.stringify([body, [...headers]])

eachDatabase(({ engine, open }) => {
  test(`audit lines of the gate, and of each proof for a sign-in that it held back, say why; the person sees nothing (${engine})`, async (t) => {
    const { auditLog, linesUntil } = await auditFile(t)
    const gate = { deadlineMs: 10_000, simSwap: { onFound: 'refuse' }, callForwarding: { onFound: 'record' } }
    const gated = await startSignInService(t, await open(t), { settings: { auditLog }, app: { gate } })
    const refused: TestAnswer[] = []
    for (const identity of [swapped, ordinary]) {
      const started = await gated.start({ identity })
      const { transactionId } = started.body
      const wrong = anotherOtp(gated.otp() || '123456')
      refused.push(started, await gated.resend(transactionId), await gated.status(transactionId))
      for (let attempt = 0; attempt < 6; attempt++) refused.push(await gated.verify(transactionId, { otp: wrong }))
    }
    for (const answer of refused) assert.doesNotMatch(seenBy(answer), anyCode)
    const shapes = refused.map(({ status, body }) => [status, Object.keys(body), body.errorCode, body.description])
    assert.deepEqual(shapes.slice(0, 9), shapes.slice(9), 'a number whose SIM was swapped looks like any other')

    const lines = await linesUntil(({ length }) => length === 2 + 2 * 6)
    assert.deepEqual(
      lines.flatMap(({ gate, outcome, reasons }) => (gate ? [[outcome, reasons]] : [])),
      [
        ['refuse', ['SIM_SWAPPED']],
        ['record', []],
      ],
    )
    const ofProofs = lines.flatMap(({ failure, reasons }) => (failure ? [reasons] : []))
    const codesOfProofs = [...Array(4).fill('OTP_WRONG'), 'ATTEMPTS_USED_UP', 'ATTEMPTS_USED_UP']
    const held = codesOfProofs.map((code) => [code, 'SIM_SWAPPED'])
    assert.deepEqual(ofProofs, [...held, ...codesOfProofs.map((code) => [code])])
    for (const code of lines.flatMap(({ reasons = [] }) => reasons)) assert.ok(codes.includes(code), code)
  })

  test(`a check without a result, for which the gate refuses, is a reason in audit lines only (${engine})`, async (t) => {
    const { auditLog, linesUntil } = await auditFile(t)
    const gate = { simSwap: { onFound: 'refuse', onFailure: 'refuse' }, portability: { onFound: 'record' } }
    const edit = <Parts extends { operators: readonly object[] }>(parts: Parts): Parts => ({ ...parts, operators: [] })
    const gated = await startSignInService(t, await open(t), { settings: { auditLog }, app: { gate }, edit })
    const started = await gated.start({ identity: ordinary })
    const refused = await gated.verify(started.body.transactionId, { otp: '123456' })
    for (const answer of [started, refused]) assert.doesNotMatch(seenBy(answer), anyCode)
    assert.equal(refused.body.errorCode, failures.otpWrong.errorCode)
    const [ofGate, ofProof] = await linesUntil(({ length }) => length === 2)
    assert.deepEqual([ofGate?.outcome, ofGate?.reasons], ['refuse', ['SIM_SWAP_UNKNOWN']])
    assert.deepEqual(ofProof?.reasons, ['OTP_WRONG', 'SIM_SWAP_UNKNOWN'])
  })

  test(`each refusal of a sign-in over HTTP has no reason code, and its audit line has one (${engine})`, async (t) => {
    const { auditLog, linesUntil } = await auditFile(t)
    const { url } = await scriptedUpstream(t, () => ({ status: 500 }))
    const channels = {
      sms: { type: 'outbox', recipient: 'MOBILE' },
      mail: { type: 'outbox', recipient: 'EMAIL' },
      broken: { type: 'http-gateway', url, recipient: 'MOBILE', method: 'WHATSAPP', json: { text: '{text}' } },
    }
    const settings = { auditLog, messagesPerSignIn: 2, messagesPerRecipientHour: 8 }
    const app = { countries: ['IN', 'DE'], signInElsewhere: false, silentFallback: 'NONE' }
    const service = await startSignInService(t, await open(t), { settings, channels, app })
    const provoked = await refusalsOf(service)
    const unprovoked = Object.keys(signInFailures).filter((failure) => !Object.hasOwn(provoked, failure))
    const ofAdding = ['linkToRefused', 'identityTaken']
    const ofLinks = [
      'tokenWithoutSignIn',
      'userLinkedElsewhere',
      'userIdentityUnknown',
      'mergeWithItself',
      'usersLimited',
    ]
    const elsewhere = ['codeNotChecked', 'signInFailed', 'resendImpossible', 'providerFailed', ...ofAdding, ...ofLinks]
    assert.deepEqual(
      unprovoked.toSorted(),
      elsewhere.toSorted(),
      'of identity providers, of operators that compare codes, and of identities that are added or linked',
    )
    for (const [failure, answer] of Object.entries(provoked)) {
      const { errorCode, description } = failures[failure as FailureName]
      assert.equal(answer.body.errorCode, errorCode, `${failure}: ${JSON.stringify(answer.body)}`)
      assert.equal(answer.body.description.slice(0, 20), description.slice(0, 20), failure)
      assert.doesNotMatch(seenBy(answer), anyCode, failure)
    }
    const lines = await linesUntil((all) => all.some(({ failure }) => failure === 'signInExpired'))
    const audited = lines.filter(({ failure }) => failure !== undefined)
    assert.ok(audited.length >= 8)
    for (const { failure, reasons } of audited) {
      assert.deepEqual(reasons, [failure!.replace(/([A-Z])/g, '_$1').toUpperCase()])
      assert.ok(codes.includes(reasons![0]!), `${failure} is in the catalogue`)
    }
  })
})

test('no error format shows the reason codes of a refusal, whatever the failure', () => {
  for (const failure of Object.keys(failures) as FailureName[]) {
    const refusal = new Refusal(failure, { reasons: codes })
    for (const [name, format] of Object.entries(errorFormats)) {
      assert.doesNotMatch(JSON.stringify(format(refusal, 'r-1')), anyCode, `${failure} as ${name}`)
    }
  }
})

const bySms = { method: 'SMS' }

/** An answer for each failure that a person can cause without an identity provider. */
async function refusalsOf(service: SignInService): Promise<Partial<Record<FailureName, TestAnswer>>> {
  const { clock, start, resend, verify } = service
  const magicLink = { channel: 'MAGIC_LINK', identity: email, redirectUrl }
  const link = (await start(magicLink)).body.transactionId
  const codeMissing = await verify(link, {})
  const codeWrong = await verify(link, { code: 'x'.repeat(40) })
  const codeVerifierWrong = await verify(link, { code: 'x'.repeat(40), codeVerifier: undefined })
  const { transactionId } = (await start(bySms)).body
  const resendTooEarly = await resend(transactionId)
  const otpMissing = await verify(transactionId, {})
  const otpInvalid = await verify(transactionId, { otp: '12345' })
  clock.advance({ seconds: 31 })
  await resend(transactionId)
  clock.advance({ seconds: 31 })
  const resendsUsedUp = await resend(transactionId)
  const otp = service.otp()
  const otpWrong = await verify(transactionId, { otp: anotherOtp(otp) })
  await verify(transactionId, { otp })
  const signInOver = await verify(transactionId, { otp })
  const second = (await start(bySms)).body.transactionId
  for (let attempt = 0; attempt < 5; attempt++) await verify(second, { otp: anotherOtp(service.otp()) })
  const attemptsUsedUp = await verify(second, { otp: anotherOtp(service.otp()) })
  const third = (await start({ identity: email })).body.transactionId
  return {
    codeMissing,
    codeWrong,
    codeVerifierWrong,
    otpMissing,
    otpInvalid,
    otpWrong,
    resendTooEarly,
    resendsUsedUp,
    signInOver,
    attemptsUsedUp,
    signInUnknown: await verify('x'.repeat(32), { otp }),
    identityInvalid: await start({ identity: { type: 'PHONE', value: ordinary.value } }),
    emailInvalid: await start({ identity: { type: 'EMAIL', value: 'ada' } }),
    redirectUrlRefused: await start({ ...magicLink, redirectUrl: 'https://evil.example' }),
    channelUnavailable: await start({ method: 'CARRIER_PIGEON' }),
    silentUnavailable: await start({ channel: 'SILENT', identity: { type: 'MOBILE', value: '917020140140' } }),
    lineTypeRefused: await start({ identity: { type: 'MOBILE', value: '493012345678' } }),
    countryRefused: await start({ identity: { type: 'MOBILE', value: '447400123456' } }),
    deliveryFailed: await start({ method: 'WHATSAPP' }),
    messagesLimited: await untilLimited(service),
    signInExpired: await afterAnHour(service, (client) => verify(third, { otp: '123456' }, client)),
  }
}

async function untilLimited({ clock, start }: SignInService): Promise<TestAnswer> {
  for (;;) {
    const answer = await start(bySms)
    if (answer.status !== 200) return answer
    clock.advance({ seconds: 31 })
  }
}

/** In another session, as the first one is over. */
async function afterAnHour(service: SignInService, call: (client: SdkClient) => Promise<TestAnswer>) {
  service.clock.advance({ seconds: 3600 })
  return call(await sdkClient(service, { app: service.app }))
}
