// Are acknowledged device records still correct? Reports that were returned, and challenges that were used.

import { randomUUID } from 'node:crypto'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../../server/src/apps/app.ts'
import type { IssuedCredentials } from '../../../server/src/clients/credentials.ts'
import { type SdkClient, sdkClientOf } from '../../../server/src/testing/sdk-client.ts'
import { eachOf, type Judge } from '../promise.ts'
import { post, postJson } from './ledger.ts'
import type { ServiceProcess } from './service-process.ts'

/** App limits high enough for every program. */
export const unlimitedApps = {
  appRatePerSecond: 100_000,
  appRateBurst: 1_000_000,
  storageMbPerAppDay: 1_000_000,
  storageMbPerAddressDay: 1_000_000,
}

/** The callers: an app's SDK and its backend. */
export interface AppCallers {
  readonly app: App
  readonly backend: IssuedCredentials
}

/** A tenant with an app and a client of its backend. */
export async function makeCallers(service: ServiceProcess): Promise<AppCallers> {
  const tenantId = await service.command('createTenant', 'devices')
  return {
    app: await service.command('createApp', tenantId),
    backend: await service.command('createClient', tenantId, 'x'),
  }
}

/** A session, and which of its steps were answered so far. */
export interface DeviceSession {
  readonly client: SdkClient
  readonly engineBody: ReturnType<SdkClient['engineBody']>
  /** The sealed analysis of the first answer to an engine call with `carry`. */
  analysis?: string | undefined
  engineAnswer?: string
  dfrId?: string
  report?: string
}

/** Sends requests of this session, wherever the service listens now. */
const send = (url: string, { client }: DeviceSession, path: string, body: object) =>
  postJson(url + path, client.headers, body)

/** The SDK's config call, which starts a session. */
export async function beginSession(url: string, { app }: AppCallers, carry = false): Promise<DeviceSession> {
  const client = await sdkClientOf(app, { url })
  return { client, engineBody: client.engineBody(undefined, { ...(carry && { carry }) }) }
}

/** The requests of an answered session. Each may be sent again and returns the same answer. */
export function repeatable(session: DeviceSession) {
  const { engineBody, dfrId } = session
  return [
    { of: 'sdk', path: endpoints.intelligence.path, body: engineBody },
    { of: 'sdk', path: endpoints.pushFingerprint.path, body: pushBodyOf(session) },
    { of: 'backend', path: endpoints.deviceFingerprint.path, body: { dfrId, deviceType: 'WEB' } },
  ] as const
}

function pushBodyOf({ client, engineBody: { requestId }, analysis }: DeviceSession) {
  const body = client.pushBody(requestId, { amount: 7 })
  return analysis === undefined ? body : { ...body, data: { requestId, analysis } }
}

/** What each answer to one engine call has. With `carry`, nothing is stored that could give the same token or sealed analysis. */
function lastingPart(text: string): string {
  const { analysis, deviceToken, ...rest } = JSON.parse(text) as Record<string, unknown>
  return analysis === undefined ? text : JSON.stringify(rest)
}

export type Step = 'engine call' | 'push' | 'report'

/**
 * Engine call, push and report of a session. Returns the first step that was not answered with 200, and its status. Steps that
 * were answered before are repeated, and must return the same answer.
 */
export async function goOn(
  url: string,
  session: DeviceSession,
  { backend }: AppCallers,
  complaints: Judge,
): Promise<{ step: Step; status: number; text: string } | undefined> {
  const same = (step: Step, before: string | undefined, now: string) =>
    complaints.unless(before === undefined || before === now, () => `a repeated ${step} returns another answer: ${now}`)

  const engine = await send(url, session, endpoints.intelligence.path, session.engineBody)
  if (engine.status !== 200) return { step: 'engine call', ...engine }
  same('engine call', session.engineAnswer, lastingPart(engine.text))
  session.engineAnswer = lastingPart(engine.text)
  session.analysis ??= (JSON.parse(engine.text) as { analysis?: string }).analysis

  const push = await send(url, session, endpoints.pushFingerprint.path, pushBodyOf(session))
  if (push.status !== 200) return { step: 'push', ...push }
  const { dfrId } = JSON.parse(push.text) as { dfrId: string }
  same('push', session.dfrId, dfrId)
  session.dfrId = dfrId

  const { status, text } = await post(url, endpoints.deviceFingerprint.path, backend, { dfrId, deviceType: 'WEB' })
  if (status !== 200) return { step: 'report', status, text }
  same('report', session.report, text)
  session.report = text
  return undefined
}

/** Every session that was started, with what was acknowledged. */
export class DeviceLedger {
  readonly #callers: AppCallers
  readonly #sessions: DeviceSession[] = []
  #compared = 0

  constructor(callers: AppCallers) {
    this.#callers = callers
  }

  get reports(): number {
    return this.#sessions.filter(({ dfrId }) => dfrId !== undefined).length
  }

  /** A whole session. The ledger records each answer. Throws as `fetch` does when the service is gone. */
  async session(url: string, complaints: Judge): Promise<void> {
    const session = await beginSession(url, this.#callers, this.#carries())
    this.#sessions.push(session)
    const stopped = await goOn(url, session, this.#callers, complaints)
    complaints.unless(stopped === undefined, () => `a session is not answered: ${JSON.stringify(stopped)}`)
  }

  /** Whether the service answers a whole session; a 503 means not now, and earlier answers stay recorded. */
  async tried(url: string, complaints: Judge): Promise<boolean> {
    const began = await beginSession(url, this.#callers, this.#carries()).catch((error: Error) => error.message)
    if (typeof began === 'string') {
      complaints.unless(began.startsWith('config is answered 503'), () => began)
      return false
    }
    this.#sessions.push(began)
    const stopped = await goOn(url, began, this.#callers, complaints)
    complaints.unless(stopped === undefined || stopped.status === 503, () => JSON.stringify(stopped))
    return stopped === undefined
  }

  /** The first report can be read. */
  async serves(url: string, complaints: Judge, what: string): Promise<void> {
    const [{ dfrId, report } = {}] = this.#sessions
    const { status, text } = await this.#read(url, dfrId)
    complaints.unless(status === 200 && text === report, () => `${what}: a report is answered ${status}`)
  }

  /**
   * Finishes each new session from where it was cut off, and complains when something differs from what was acknowledged: repeated
   * steps return the same answer, no challenge works twice, no report exists twice. `all`: reads every report again.
   */
  async compare(service: ServiceProcess, complaints: Judge, { all = false } = {}): Promise<void> {
    const { url } = service
    const fresh = this.#sessions.slice(this.#compared)
    this.#compared = this.#sessions.length
    await eachOf(fresh, 8, async (session) => {
      for (const time of ['first', 'second']) {
        const stopped = await goOn(url, session, this.#callers, complaints)
        complaints.unless(stopped === undefined, () => `the ${time} repetition: ${JSON.stringify(stopped)}`)
      }
      const other = { ...session.engineBody, requestId: randomUUID() }
      const { status } = await send(url, session, endpoints.intelligence.path, other)
      complaints.unless(status === 401, () => `a used challenge is answered ${status}`)
    })
    const kept = await service.command('keptOfDevices', this.#callers.app.tenantId)
    const counts = `${kept.reports} reports and ${kept.visits} visits of ${this.#sessions.length} sessions`
    complaints.unless(kept.reports === this.#sessions.length && kept.visits === kept.reports, () => counts)
    await eachOf(all ? this.#sessions : [], 16, async ({ dfrId, report }) => {
      const { status, text } = await this.#read(url, dfrId)
      complaints.unless(status === 200 && text === report, () => `an acknowledged report is answered ${status}`)
    })
  }

  /** Every other session. */
  #carries(): boolean {
    return this.#sessions.length % 2 === 1
  }

  #read(url: string, dfrId: string | undefined) {
    return post(url, endpoints.deviceFingerprint.path, this.#callers.backend, { dfrId, deviceType: 'WEB' })
  }
}
