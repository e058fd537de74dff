// How does a test call as an SDK does? An app of the test's tenant, and a session of it over HTTP.

import { endpoints, type SdkConfig } from '@ringfence/contract'
import type { App, DevicePlatform } from '../apps/app.ts'
import type { AppDescription } from '../apps/apps.ts'
import { appSettings } from '../apps/settings.ts'
import type { TestAnswer, TestService } from './test-service.ts'

export const shopOrigin = 'https://shop.example'
export const shopBundleId = 'com.example.shop'
export const shopPackageName = 'com.example.shop.android'

const packageOf: Record<DevicePlatform, string> = { WEB: shopOrigin, IOS: shopBundleId, ANDROID: shopPackageName }

/** An app that is a web site, an iOS and an Android app; of the test's tenant unless another is named. */
export function createApp(
  { platform, tenantId }: TestService,
  { settings = {}, ...changes }: Partial<Omit<AppDescription, 'settings'>> & { settings?: object } = {},
  ofTenant: string = tenantId,
): Promise<App> {
  return platform.apps.create(ofTenant, {
    name: 'shop',
    origins: [shopOrigin],
    bundleIds: [shopBundleId],
    packageNames: [shopPackageName],
    settings: appSettings(settings),
    ...changes,
  })
}

export interface SdkClient extends SdkConfig {
  readonly app: App
  /** App id, bearer token, and in a browser the origin. */
  readonly headers: Readonly<Record<string, string>>
  /** Sends a body as JSON (a string as it is), as this session. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
}

export interface SdkClientOptions {
  /** A new one by `createApp` otherwise. */
  app?: App
  platform?: DevicePlatform
  packageName?: string
  /** Of every call, the config call included. */
  headers?: Readonly<Record<string, string>>
}

/** An initialized SDK. Throws with the answer when the config call is refused. */
export async function sdkClient(service: TestService, options: SdkClientOptions = {}): Promise<SdkClient> {
  const { platform = 'WEB', app = await createApp(service), packageName = packageOf[platform] } = options
  const asApp = { appId: app.id, ...(platform === 'WEB' && { origin: packageName }), ...options.headers }
  const query = new URLSearchParams({ packageName, platform })
  const response = await fetch(`${service.url}${endpoints.sdkConfig.path}?${query}`, { headers: asApp })
  const config = (await response.json()) as SdkConfig
  if (response.status !== 200) throw new Error(`config is answered ${response.status}: ${JSON.stringify(config)}`)
  const headers = { ...asApp, authorization: `Bearer ${config.sessionToken}` }
  return {
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
  }
}
