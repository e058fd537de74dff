import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Ringfence } from '@ringfence/node'
import type { Finished } from '../testing/called-here.ts'
import { assertFailed, commandLine } from '../testing.ts'

const exported = (text: string, name: string) => new RegExp(`\\b${name}=([^\\s;]+)`).exec(text)?.[1]

/** A shell must not go on with the sign-in before. */
function assertUnset({ stdout, ...answer }: Finished, line: RegExp, exitCode = 1): void {
  assert.equal(stdout, 'unset TOKEN ID_TOKEN DFR_ID; false\n')
  assertFailed({ ...answer, stdout: '' }, line, exitCode)
}

/** On a busy machine the operator of the sandbox, which shares it, may need longer than a decision waits. */
const deadlineMs = 30_000

/** What `sign-in` prints, and a backend that reads it. */
async function sandbox(t: TestContext) {
  const { run, serve } = await commandLine(t)
  const { stdout } = await serve(['--sandbox'])
  const names = ['RINGFENCE_URL', 'RINGFENCE_CLIENT_ID', 'RINGFENCE_CLIENT_SECRET', 'RINGFENCE_APP_ID']
  const env = Object.fromEntries(names.map((name) => [name, exported(stdout, name) ?? '']))
  const [baseUrl = '', clientId = '', clientSecret = ''] = names.map((name) => env[name])
  const ringfence = new Ringfence({ baseUrl, clientId, clientSecret, timeoutMs: 60_000, attemptTimeoutMs: 60_000 })
  return {
    ringfence,
    run: (...words: string[]) => run(words, { env }),
    async signIn(...words: string[]) {
      const { code, stdout, stderr } = await run(['sign-in', ...words], { env })
      assert.equal(code, 0, stderr)
      const [token = '', dfrId] = ['TOKEN', 'DFR_ID'].map((name) => exported(stdout, name))
      return { token, dfrId: dfrId ?? '' }
    },
    refused: (...words: string[]) => run(['sign-in', ...words], { env }),
  }
}

test('a made-up person signs in with a code as a real one: the same number is the same user, the same name the same device', async (t) => {
  const { ringfence, signIn } = await sandbox(t)
  const deviceOf = async ({ dfrId }: { dfrId: string }) =>
    (await ringfence.deviceFingerprint({ dfrId, deviceType: 'WEB' })).deviceId
  const first = await signIn('--number', '+91 70201 41726', '--device', 'laptop')
  const verified = await ringfence.validateToken({ token: first.token })
  assert.deepEqual(
    verified.identities.map(({ identityType, identityValue, channel, methods }) => [
      identityType,
      identityValue,
      channel,
      methods,
    ]),
    [['MOBILE', '917020141726', 'OTP', ['SMS']]],
  )
  assert.ok(verified.secureInfo, 'the device belongs to the sign-in')
  const laptop = await deviceOf(first)
  assert.equal(await deviceOf(await signIn('--device', 'laptop')), laptop)
  assert.notEqual(await deviceOf(await signIn('--device', 'new-laptop')), laptop)
  const { token } = await signIn()
  assert.equal((await ringfence.validateToken({ token })).userId, verified.userId)
  const byEmail = await ringfence.validateToken({ token: (await signIn('--email', 'Asha@Example.com')).token })
  assert.deepEqual(
    byEmail.identities.map(({ identityType, identityValue }) => [identityType, identityValue]),
    [['EMAIL', 'asha@example.com']],
  )
})

test('a program drives the device that is called robot', async (t) => {
  const { ringfence, signIn } = await sandbox(t)
  const { token, dfrId } = await signIn('--number', '917020142001', '--device', 'robot')
  const { userId } = await ringfence.validateToken({ token })
  const { action, reasons } = await ringfence.decide({ action: 'LOGIN', userId, token, dfrId, deadlineMs })
  assert.deepEqual([action, reasons[0]?.code], ['BLOCK', 'BOT'])
})

test('an Android phone is known again, and shows what is on it while its owner pays', async (t) => {
  const { ringfence, signIn, refused } = await sandbox(t)
  const phone = ['--number', '917020142001', '--device', 'asha-phone']
  const reportOf = async (...during: string[]) => {
    const { dfrId } = await signIn(...phone, '--android', ...during)
    return ringfence.deviceFingerprint({ dfrId, deviceType: 'ANDROID' })
  }
  const usual = await reportOf()
  assert.deepEqual([usual.activeCall, usual.mirroredScreen, usual.remoteAccess], [false, false, false])
  const led = await reportOf('call,screen-sharing,remote-access')
  assert.deepEqual([led.activeCall, led.mirroredScreen, led.remoteAccess], [true, true, true])
  assert.equal(led.deviceId, usual.deviceId)
  const odd = await reportOf('foreign-sim,wireless-debugging,root,emulator')
  assert.deepEqual([odd.sim?.country, odd.simulator, odd.activeCall], ['GB', true, false])
  const fired = Object.keys(odd.appliedRules.rules)
  for (const id of ['rooted', 'no-real-device'])
    assert.ok(
      fired.some((rule) => rule.startsWith(`${id} : `)),
      id,
    )
  assertUnset(await refused('--android', 'calls'), /allowed: call, screen-sharing/, 2)
})

test('an Android phone runs the app of the customer, as its package name and certificates say', async (t) => {
  const { ringfence, run, signIn } = await sandbox(t)
  const shop = ['--package-name', 'com.example.shop', '--origin', 'http://localhost:*']
  const certificates = [`${'AB:'.repeat(31)}AB`, 'CD'.repeat(32)]
  const created = await run('apps', 'create', '--tenant', 'sandbox', '--name', 'shop', ...shop, '--json')
  const { appId } = JSON.parse(created.stdout) as { appId: string }
  const set = ['--set', `androidCertificates=${JSON.stringify(certificates)}`]
  assert.equal((await run('apps', 'update', appId, ...set)).code, 0)
  const { token, dfrId } = await signIn('--android', '--app-id', appId)
  const { userId } = await ringfence.validateToken({ token })
  const { action } = await ringfence.decide({ action: 'LOGIN', userId, token, dfrId, deadlineMs })
  const { appTampering } = await ringfence.deviceFingerprint({ dfrId, deviceType: 'ANDROID' })
  assert.deepEqual([action, appTampering], ['ALLOW', false])
})

test('a shell has no sign-in after one that was refused', async (t) => {
  const { run } = await sandbox(t)
  const phone = ['--number', '917020142001', '--device', 'asha-phone']
  let last = await run('sign-in', ...phone)
  for (let more = 0; more < 20 && last.code === 0; more++) last = await run('sign-in', ...phone)
  assertUnset(last, /the sign-in was refused: (Too many messages|Rate limit exceeded)/)
  const script = `TOKEN=old DFR_ID=old; eval "${last.stdout.trim()}"; echo "$? $TOKEN$DFR_ID"`
  assert.equal((await promisify(execFile)('sh', ['-c', script])).stdout, '1 \n')
})

test('a sign-in that is not possible says in one line what to do', async (t) => {
  const { refused, ringfence } = await sandbox(t)
  assertUnset(await refused('--number', '12'), /the sign-in was refused: .*phone number/i)
  assertUnset(await refused('--app-id', 'rfa_unknown'), /the sign-in was refused: /)
  assertUnset(await refused('--email', 'a@example.com', '--number', '917020141726'), /cannot be used with/, 2)
  assert.deepEqual((await ringfence.readShownMessages()).messages, [])
})

test('a service that is no sandbox shows no code', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  await writeFile(join(folder, 'outbox.yaml'), 'channels: { sms: { type: outbox, recipient: MOBILE } }\n')
  const made = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout) as Record<string, string>
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'web', '--origin', 'http://localhost:*', '--json']
  const { appId } = JSON.parse((await run(create)).stdout) as { appId: string }
  const { url } = await serve(['--config', 'outbox.yaml'])
  const env = {
    RINGFENCE_URL: url,
    RINGFENCE_APP_ID: appId,
    RINGFENCE_CLIENT_ID: made.clientId!,
    RINGFENCE_CLIENT_SECRET: made.clientSecret!,
  }
  assertUnset(await run(['sign-in'], { env }), /no sandbox.*ringfence serve --sandbox/)
})
