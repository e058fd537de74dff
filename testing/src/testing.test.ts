import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Ringfence } from '@ringfence/node'
import { freePorts } from '../../server/src/testing/free-ports.ts'
import {
  type AndroidAttestation,
  CallRefused,
  NothingDelivered,
  NothingSent,
  NotStarted,
  type PageOptions,
  ServiceNotFound,
  type StartOptions,
  start,
  type Tenant,
  type TestService,
} from './index.ts'

const patient = { timeoutMs: 60_000, attemptTimeoutMs: 60_000 }
const startTimeoutMs = 120_000
const number = '917020141726'

const clientOf = ({ url, clientId, clientSecret }: Tenant) =>
  new Ringfence({ baseUrl: url, clientId, clientSecret, ...patient })

const startSlowly = (options: StartOptions = {}) => start({ startTimeoutMs, ...options })

describe('a service of a test', () => {
  let ringfence: TestService
  before(async () => {
    ringfence = await startSlowly()
  })
  after(() => ringfence.stop())

  test('a person signs in on a page, and the decision misses nothing and knows the device again', async () => {
    const tenant = await ringfence.tenant()
    const backend = clientOf(tenant)
    const page = tenant.page()
    const first = await page.signIn(number)
    const signedUp = await backend.decide({ action: 'SIGNUP', userId: 'asha', ...pick(first) })
    assert.deepEqual([signedUp.action, signedUp.missing], ['ALLOW', []])
    const second = await page.signIn('+91 70201 41726')
    const signedIn = await backend.decide({ action: 'LOGIN', userId: 'asha', ...pick(second) })
    assert.deepEqual([signedIn.action, signedIn.missing], ['ALLOW', []])
    assert.equal(signedIn.device?.deviceId, signedUp.device?.deviceId)
    const { dfrId } = await page.report({ userEventType: 'TRANSACTION', params: { order: 'o-1' } })
    const paid = await backend.decide({ action: 'PAYMENT', userId: 'asha', phoneNumber: number, dfrId })
    assert.deepEqual([paid.action, paid.missing], ['ALLOW', []])
  })

  test('two tenants see nothing of each other, and a backend in another process gets its access', async () => {
    const [one, other] = await Promise.all([ringfence.tenant(), ringfence.tenant()])
    await one.page().startSignIn(number)
    assert.deepEqual(await other.messages(), [])
    assert.equal((await one.messages('+91 70201-41726')).length, 1)
    assert.deepEqual(Object.values(one.env), [one.url, one.clientId, one.clientSecret, one.appId])
    const { token } = await one.page().signIn('asha@shop.example')
    await assert.rejects(clientOf(other).validateToken({ token }), /token/i)
  })

  test('a tenant decides by its own rules at once, and rules with a mistake are refused with its line', async () => {
    const ofOwn = (when: string) => `rules:\n  - { id: big, name: Big, when: '${when}', action: REVIEW, score: 1 }\n`
    const tenant = await ringfence.tenant({ rules: ofOwn('params.amount > 5') })
    const pays = async (amount: number) => {
      const { dfrId } = await tenant.page().report()
      const asked = { action: 'PAYMENT', userId: 'asha', phoneNumber: number, dfrId, params: { amount } }
      return (await clientOf(tenant).decide(asked)).action
    }
    assert.deepEqual([await pays(6), await pays(4)], ['REVIEW', 'ALLOW'])
    await assert.rejects(
      ringfence.tenant({ rules: ofOwn('params.amount >') }),
      (error) => error instanceof CallRefused && error.status === 400 && /rules:2:/.test(error.message),
    )
  })

  test('the copy of a browser has its facts, and does not prove to be it', async () => {
    const tenant = await ringfence.tenant()
    const shown = async (options: PageOptions) => {
      const { dfrId } = await tenant.page(options).report()
      const { device } = await clientOf(tenant).decide({ action: 'LOGIN', userId: 'asha', dfrId })
      return device?.identification?.by
    }
    assert.equal(await shown({ device: 'laptop' }), 'none')
    assert.equal(await shown({ device: 'laptop' }), 'key')
    assert.equal(await shown({ copyOf: 'laptop' }), 'similarity')
  })

  test('an automated browser, a wrong code and a stolen account are refused as in production', async () => {
    const tenant = await ringfence.tenant()
    const backend = clientOf(tenant)
    const asha = await tenant.page({ device: 'her laptop' }).signIn(number)
    await backend.decide({ action: 'SIGNUP', userId: 'asha', ...pick(asha) })
    const bot = await tenant.page({ automated: true }).report()
    assert.equal((await backend.decide({ action: 'PAYMENT', userId: 'asha', dfrId: bot.dfrId })).action, 'BLOCK')
    const thief = await tenant.page({ address: '203.0.113.7' }).signIn('thief@mail.example')
    const stolen = await backend.decide({ action: 'LOGIN', userId: 'asha', ...pick(thief) })
    assert.notEqual(stolen.action, 'ALLOW')
    const started = await tenant.phone().startSignIn(number)
    const code = await tenant.codeFor(number)
    const wrong = code === '000000' ? '000001' : '000000'
    await assert.rejects(started.enter(wrong), (error) => error instanceof CallRefused && error.status === 400)
    assert.ok((await started.enter(code)).token)
  })

  test('an Android phone is attested by its hardware, and the policy of the app decides about others', async () => {
    const seen = async (tenant: Tenant, attests: AndroidAttestation) => {
      const backend = clientOf(tenant)
      const phone = tenant.phone({ platform: 'ANDROID', attests })
      const signedIn = await phone.signIn(number)
      const { action } = await backend.decide({ action: 'SIGNUP', userId: 'asha', ...pick(signedIn) })
      return [await resultOf(tenant, signedIn.dfrId!), action, phone] as const
    }
    const resultOf = async (tenant: Tenant, dfrId: string) => {
      const question = { dfrId, deviceType: 'ANDROID' as const }
      const { signals } = await clientOf(tenant).deviceFingerprint({ ...question, include: ['signals'] })
      return (signals!.appAttestation!.verdict as { result: string }).result
    }
    const rows: [attests: AndroidAttestation, result: string, action: string][] = [
      ['strongBox', 'strongBox', 'ALLOW'],
      ['hardware', 'hardware', 'ALLOW'],
      ['unlocked', 'unlocked', 'CHALLENGE'],
      ['selfSigned', 'selfSigned', 'CHALLENGE'],
      ['software', 'software', 'CHALLENGE'],
      ['repackaged', 'refused', 'BLOCK'],
      ['nothing', 'none', 'CHALLENGE'],
    ]
    for (const [attests, ...answer] of rows) {
      const tenant = await ringfence.tenant({ app: { attestation: { ANDROID: 'required' } } })
      const [result, action, phone] = await seen(tenant, attests)
      assert.deepEqual([result, action], answer, attests)
      // Without certificates, which came with the first report of its key.
      assert.equal(await resultOf(tenant, (await phone.report()).dfrId), result)
    }
    const certificate = `${'AB:'.repeat(31)}AB`
    for (const [attests, ...answer] of rows) {
      const app = { attestation: { ANDROID: 'required' }, androidCertificates: [certificate, 'CD'.repeat(32)] }
      const own = await ringfence.tenant({ app })
      assert.deepEqual(
        (await seen(own, attests)).slice(0, 2),
        answer,
        `${attests}, of an app with its own certificates`,
      )
    }
    const open = await ringfence.tenant({ app: { attestation: { ANDROID: 'report' }, androidCertificates: [] } })
    assert.equal((await seen(open, 'hardware'))[0], 'unknown', 'nobody said who signs the app')
  })

  test('a page hides behind each of the addresses, also when the clock was moved', async () => {
    const tenant = await ringfence.tenant()
    const backend = clientOf(tenant)
    const seenFrom = async (address: string) => {
      const { dfrId } = await tenant.page({ address }).report()
      const { vpn, proxy, ipDetails } = await backend.deviceFingerprint({ dfrId, deviceType: 'WEB' })
      return { vpn, proxy, fraudScore: ipDetails?.fraudScore }
    }
    await ringfence.clock.advance({ days: 2 })
    const { tor, vpn, proxy, datacenter, relay } = ringfence.addresses
    const home = '49.200.0.1'
    assert.deepEqual(await Promise.all([tor, vpn, proxy, datacenter, relay, home].map(seenFrom)), [
      { vpn: false, proxy: true, fraudScore: 75 },
      { vpn: true, proxy: false, fraudScore: 50 },
      { vpn: false, proxy: true, fraudScore: 75 },
      { vpn: false, proxy: false, fraudScore: 30 },
      { vpn: false, proxy: false, fraudScore: 5 },
      { vpn: false, proxy: false, fraudScore: 0 },
    ])
  })

  test('the operator says what the test says, late or not at all', async () => {
    const tenant = await ringfence.tenant()
    const backend = clientOf(tenant)
    const { dfrId } = await tenant.page().report()
    const pay = (phoneNumber: string) => backend.decide({ action: 'PAYMENT', userId: 'u', phoneNumber, dfrId })
    await ringfence.operator.line('917020141733', { simChangedHoursAgo: 2 })
    assert.ok((await pay('917020141733')).reasons.some(({ code }) => code === 'SIM_SWAPPED'))
    await ringfence.operator.fail()
    const { missing } = await pay('917020141734')
    await ringfence.operator.works()
    assert.deepEqual(new Set(missing.map(({ why }) => why)), new Set(['operator-failed']))
    await assert.rejects(ringfence.operator.line('12', { simChangedHoursAgo: 2 }), CallRefused)
  })

  test('time passes for the service when the test says so', async () => {
    const tenant = await ringfence.tenant()
    const started = await tenant.page().startSignIn(number)
    const code = await tenant.codeFor(number)
    const before = await ringfence.clock.now()
    const after = await ringfence.clock.advance({ hours: 2 })
    assert.ok(after.getTime() - before.getTime() >= 2 * 3_600_000)
    await assert.rejects(started.enter(code), /expired|ended/i)
    await assert.rejects(ringfence.clock.advance({ hours: -1 }), TypeError)
  })

  test('a receiver of webhooks gets the signed events of its tenant, and says what came instead', async () => {
    const [tenant, other] = await Promise.all([ringfence.tenant(), ringfence.tenant()])
    const receiver = await tenant.receiveWebhooks({ types: ['decision.created'] })
    await clientOf(other).decide({ action: 'LOGIN', userId: 'not hers' })
    const { decisionId } = await clientOf(tenant).decide({ action: 'LOGIN', userId: 'asha' })
    const { data } = await receiver.next('decision.created', { timeoutMs: 30_000 })
    assert.equal(data.decisionId, decisionId)
    await assert.rejects(receiver.next('user.linked', { timeoutMs: 50 }), NothingDelivered)
    await receiver.close()
    await assert.rejects(tenant.receiveWebhooks({ types: ['decision.made'] }), /decision\.made is no type of event/)
  })

  test('a delivery that is cut off because its receiver closes fails no test', async () => {
    const receiver = await (await ringfence.tenant()).receiveWebhooks()
    const { hostname, port } = new URL(receiver.url)
    const sender = connect(Number(port), hostname).on('error', () => undefined)
    sender.write('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n{')
    await once(sender, 'data') // the receiver waits for the rest
    const ended = once(sender, 'close')
    await receiver.close()
    await ended
  })

  test('a code that nobody asked for is waited for, and the error says what was sent', async () => {
    const tenant = await ringfence.tenant()
    await tenant.page().startSignIn('asha@shop.example')
    await assert.rejects(
      tenant.codeFor(number, { timeoutMs: 50 }),
      (error) => error instanceof NothingSent && /EMAIL to asha@shop\.example/.test(error.message),
    )
  })
})

test('two services at once are two, and a stop that is repeated does no harm', async () => {
  // The system may give one of its ports to somebody else as soon as the service has ended.
  const [port] = await freePorts(1)
  const [one, other] = await Promise.all([startSlowly({ port: port! }), startSlowly()])
  assert.notEqual(one.url, other.url)
  await Promise.all([one.stop(), one.stop(), other.stop()])
  await one.stop()
  await assert.rejects(fetch(one.url))
})

test('says what to do when there is no service, a program that is none, a configuration that is no file, or a port that is taken', async () => {
  await assert.rejects(start({ program: 'nowhere/ringfence' }), ServiceNotFound)
  const config = { settings: { logLevel: 'warn' } } as unknown as string
  await assert.rejects(
    start({ config }),
    (error) => error instanceof TypeError && /^config is the path/.test(error.message),
  )
  await assert.rejects(
    start({ program: process.execPath, startTimeoutMs: 30_000 }),
    (error) => error instanceof NotStarted && /the service did not start/.test(error.message),
  )
  const ringfence = await startSlowly()
  const port = Number(new URL(ringfence.url).port)
  await assert.rejects(
    startSlowly({ port }),
    (error) => error instanceof NotStarted && error.message.includes(String(port)),
  )
  await ringfence.stop()
})

test('nothing is left when the test process is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-killed-'))
  const [port] = await freePorts(1)
  const program = `import { start } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
    const { url } = await start({ startTimeoutMs: ${startTimeoutMs}, port: ${port} })
    console.log(JSON.stringify({ url }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, TMPDIR: folder },
  })
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line)) as { url: string }
  assert.equal((await readdir(folder)).length, 1, 'its data are in there')
  child.kill('SIGKILL')
  const endsAt = performance.now() + startTimeoutMs
  while ((await readdir(folder)).length > 0 && performance.now() < endsAt) await wait(20)
  assert.deepEqual(await readdir(folder), [])
  await assert.rejects(fetch(url))
  await rm(folder, { recursive: true })
})

const pick = ({ token, dfrId }: { token: string; dfrId?: string }) => ({ token, ...(dfrId && { dfrId }) })
