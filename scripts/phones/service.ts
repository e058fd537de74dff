// Which service do the tests of the phone SDKs call? `ringfence serve --sandbox` in a temporary folder, with messages and an identity provider.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { DeviceReportAnswer } from '@ringfence/contract'
import { type CompleteNumberVerificationRequest, Ringfence } from '@ringfence/node'
import { testBrowser } from '@ringfence/server/sign-in/authentication/testing/browser.ts'
import { pressButton } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { type PhoneAuthority, startPhoneAuthority } from './key-attestation.ts'

const program = fileURLToPath(new URL('../../cli/bin/ringfence.js', import.meta.url))

export interface PhoneService {
  url: string
  appId: string
  /** The bundle id, or the package name. */
  packageName: string
  /** The digits of the last message to a number or an email address. */
  otpOf(to: string): Promise<string>
  /** Opens the link of the last message to them, and presses its button. Returns where it leads. */
  openLink(to: string): Promise<string | undefined>
  /** Signs in at the identity provider. Returns the URL that it leads back to. */
  signInAtProvider(authorizationUrl: string): Promise<string | undefined>
  /** What a backend gets for a token. */
  validate(token: string): Promise<object>
  /** Attests a key of an Android phone. */
  attest: PhoneAuthority['attest']
  /** Restores a backup that is older than the keys of all phones. */
  forgetKeys(): object
  /** The report that a backend opens with a dfrId, with its signals. */
  report(dfrId: string): Promise<DeviceReportAnswer>
  /** What a backend gets when it begins a Number Verification, and when it completes one. */
  beginVerification(phoneNumber: string): Promise<object>
  completeVerification(request: CompleteNumberVerificationRequest): Promise<object>
  close(): Promise<void>
}

/** The service is behind this URL, as far as a person and an identity provider can see. */
const authUrl = 'https://login.shop.example'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback/google`

/** Where the app is, and its name there. */
export interface PhoneApp {
  readonly platform: 'IOS' | 'ANDROID'
  readonly packageName: string
}

/** A tenant with this app, served until `close`. Throws with the program's output when it does not start. */
export async function startPhoneService(folder: string, { platform, packageName }: PhoneApp): Promise<PhoneService> {
  const ends: (() => unknown)[] = []
  const { startIdentityProvider } = await import(
    '@ringfence/server/sign-in/authentication/testing/identity-provider.ts'
  )
  const provider = await startIdentityProvider({ after: (end: () => unknown) => ends.push(end) }, [callbackUrl])
  Object.assign(provider.person, { email: 'asha@example.com', email_verified: true })
  const google = {
    type: 'oidc',
    method: 'GOOGLE',
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: { env: 'PROVIDER_SECRET' },
    scopes: ['email'],
    authoritativeFor: { emailDomains: ['example.com'] },
  }
  const outboxes = { sms: { type: 'outbox', recipient: 'MOBILE' }, mail: { type: 'outbox', recipient: 'EMAIL' } }
  const authority = await startPhoneAuthority(folder, packageName)
  const config = join(folder, 'ringfence.yaml')
  // All phones of the tests have one IP address.
  const limits = { appRateBurst: 1000, messagesPerAddressHour: 1000 }
  const own = { authUrl, ...limits, keyAttestationRoots: authority.rootsFile }
  writeFileSync(config, JSON.stringify({ settings: own, channels: { ...outboxes, google } }))
  const settings = {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PROVIDER_SECRET: provider.clientSecret },
  }
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      ...settings,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`ringfence ${args[0]}: ${stderr}`)
    return stdout
  }
  const { clientId, clientSecret } = JSON.parse(run('init', '--tenant', 'shop', '--json')) as {
    clientId: string
    clientSecret: string
  }
  const redirects = `redirectUrls=${JSON.stringify([`${packageName}://signed-in`])}`
  const name = [platform === 'IOS' ? '--bundle-id' : '--package-name', packageName]
  const signers = `androidCertificates=${JSON.stringify(authority.appCertificates)}`
  const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'MAGIC_LINK', method: 'SMS' } }
  const set = [redirects, 'signInElsewhere=true', signers, `gate=${JSON.stringify(gate)}`]
  const place = [...name, ...set.flatMap((setting) => ['--set', setting])]
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'shop', ...place, '--json']
  const { appId } = JSON.parse(run(...create)) as PhoneService
  const child = spawn(
    process.execPath,
    [program, 'serve', '--config', config, '--port', '0', '--sandbox', '--no-demo', '--log-level', 'warn'],
    {
      ...settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let shown = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const found = /^Ringfence listens at ([^\s,]+)[\s,]/m.exec(shown)?.[1]
      if (found) resolve(found)
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('exit', (code) => reject(new Error(`ringfence serve ended with ${code}: ${said}`)))
  })
  ends.push(() => end(child))
  /** The service answers at `url` what is addressed to `authUrl`. */
  const atService = (location: string | URL) => new URL(String(location).replace(authUrl, url))
  const backend = new Ringfence({ baseUrl: url, clientId, clientSecret })
  /** In the text of the last message. What the service prints may come after its answer to the phone. */
  const sent = async (to: string, part: RegExp): Promise<string> => {
    const { messages } = await backend.readShownMessages({ to })
    const found = part.exec(messages[0]?.text ?? '')?.[0]
    if (found === undefined) throw new Error(`${to} got no message with ${part}`)
    return found
  }
  return {
    url,
    appId,
    packageName,
    otpOf: (to) => sent(to, /\b\d{6}\b/),
    async openLink(to) {
      const { response } = await pressButton(atService(await sent(to, /https?:\S+/)))
      return response.headers.get('location') ?? undefined
    },
    async signInAtProvider(authorizationUrl) {
      const called = await testBrowser().follow(authorizationUrl, callbackUrl)
      return (await testBrowser().open(atService(called).href)).headers.get('location') ?? undefined
    },
    async validate(token) {
      return backend.validateToken({ token })
    },
    attest: authority.attest,
    forgetKeys() {
      const database = new DatabaseSync(join(folder, 'ringfence-data/ringfence.sqlite'), { timeout: 60_000 })
      database.exec('delete from keystore_key; delete from attested_key')
      database.close()
      return {}
    },
    report: (dfrId) => backend.deviceFingerprint({ dfrId, deviceType: platform, include: ['signals'] }),
    beginVerification: (phoneNumber) => backend.beginNumberVerification({ phoneNumber }),
    completeVerification: (request) => backend.completeNumberVerification(request),
    async close() {
      for (const close of ends.toReversed()) await close()
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
