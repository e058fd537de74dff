// How does a test call like an SDK? With an app of the test's tenant and a session over HTTP.

import { randomUUID } from 'node:crypto'
import type { DevicePlatform } from '@ringfence/contract'
import {
  endpoints,
  type IntelligenceAnswer,
  type IntelligenceRequest,
  type PushRequest,
  readSamples,
  type SdkConfig,
} from '@ringfence/contract'
import type { App } from '../apps/app.ts'
import { appSettings } from '../apps/app-settings.ts'
import type { AppDescription } from '../apps/apps.ts'
import type { InstallationKey } from './installation-key.ts'
import type { TestAnswer, TestService } from './test-service.ts'

export const shopOrigin = 'https://shop.example'
export const shopBundleId = 'com.example.shop'
export const shopPackageName = 'com.example.shop.android'
/** Where a sign-in may lead back to. */
export const shopReturnUrls = [`${shopOrigin}/signed-in?from=mail`, `${shopOrigin}/signed-in?cart=7`]

const packageOf: Record<DevicePlatform, string> = { WEB: shopOrigin, IOS: shopBundleId, ANDROID: shopPackageName }

/** Creates an app with a website, an iOS and an Android app; by default for the test's tenant. */
export function createApp(
  { parts: needs, tenantId }: Pick<TestService, 'parts' | 'tenantId'>,
  { settings = {}, ...changes }: Partial<Omit<AppDescription, 'settings'>> & { settings?: object } = {},
  ofTenant: string = tenantId,
): Promise<App> {
  const named = (name: string) =>
    needs.apps.create(ofTenant, {
      name,
      origins: [shopOrigin],
      bundleIds: [shopBundleId],
      packageNames: [shopPackageName],
      settings: appSettings({ redirectUrls: shopReturnUrls, ...settings }),
      ...changes,
    })
  return named('shop').catch((error) => {
    if (error.failure !== 'appExists' || changes.name !== undefined) throw error
    return named(`shop ${randomUUID()}`)
  })
}

export interface SdkClient<Its extends Pick<App, 'id'> = App> extends SdkConfig {
  readonly app: Its
  /** App id, session token, and in a browser the origin. */
  readonly headers: Readonly<Record<string, string>>
  /** Sends a body as JSON (a string as it is) in this session. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
  /** A body of the engine call, with the next challenge and a new request id. */
  engineBody(facts?: object, changes?: object): IntelligenceRequest
  /** Sends an engine call. Its response has the next challenge. Throws when it is refused. */
  analyse(facts?: object, changes?: object): Promise<IntelligenceAnswer>
  /** The body of the push after an engine call. */
  pushBody(requestId: string, params?: object): PushRequest & Record<string, unknown>
  /** Engine call and push. Throws when one is refused. */
  fingerprint(facts?: object, params?: object): Promise<{ requestId: string; dfrId: string }>
}

/** Facts of an ordinary browser. */
export const ordinaryFacts = (readSamples().IntelligenceRequest!.web as IntelligenceRequest).facts

export interface SdkClientOptions {
  /** Default: a new app by `createApp`. */
  app?: App
  platform?: DevicePlatform
  packageName?: string
  systemVersion?: string
  /** Headers of every call, the config call included. */
  headers?: Readonly<Record<string, string>>
  /** Signs each engine call. */
  key?: InstallationKey
}

/** An initialized SDK of a test service. Throws with the response when the config call is refused. */
export async function sdkClient(service: TestService, options: SdkClientOptions = {}): Promise<SdkClient> {
  return sdkClientOf(options.app ?? (await createApp(service)), service, options)
}

/** The same for an existing app of any service. */
export async function sdkClientOf<Its extends Pick<App, 'id'>>(
  app: Its,
  service: { url: string },
  options: Omit<SdkClientOptions, 'app'> = {},
): Promise<SdkClient<Its>> {
  const { platform = 'WEB', packageName = packageOf[platform], systemVersion } = options
  const asApp = { appId: app.id, ...(platform === 'WEB' && { origin: packageName }), ...options.headers }
  const query = new URLSearchParams({ packageName, platform, ...(systemVersion !== undefined && { systemVersion }) })
  const response = await fetch(`${service.url}${endpoints.sdkConfig.path}?${query}`, { headers: asApp })
  const config = (await response.json()) as SdkConfig
  if (response.status !== 200) throw new Error(`config is answered ${response.status}: ${JSON.stringify(config)}`)
  const headers = { ...asApp, authorization: `Bearer ${config.sessionToken}` }
  const inId = `${randomUUID()}-1770000000`
  let challenge = config.challenge
  const client: SdkClient<Its> = {
    ...config,
    app,
    headers,
    async post(path, body, more = {}) {
      const answer = await fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
    engineBody(facts = ordinaryFacts, changes = {}) {
      const body = {
        requestId: randomUUID(),
        challenge,
        platform,
        sdkVersion: '0.1.0',
        tsId: config.sessionId,
        inId,
        facts: { ...facts },
        ...changes,
      }
      return options.key && !('proof' in changes) ? { ...body, proof: { ...options.key.proofOf(body) } } : body
    },
    async analyse(facts, changes) {
      const answer = await client.post(endpoints.intelligence.path, client.engineBody(facts, changes))
      challenge = granted(answer).nextChallenge
      return answer.body
    },
    pushBody: (requestId, params = {}) => ({
      ...params,
      data: { requestId },
      status: 'SUCCESS',
      requestId,
      message: '',
      tsId: config.sessionId,
      inId,
      platform,
      appId: app.id,
    }),
    async fingerprint(facts, params) {
      const { requestId } = await client.analyse(facts)
      const { dfrId } = granted(await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId, params)))
      return { requestId, dfrId }
    },
  }
  return client
}

function granted({ status, body }: TestAnswer) {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body
}
