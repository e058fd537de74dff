// What is an app? A web site or mobile app of a tenant. Its SDK calls with the app id and never with a secret.

import type { DevicePlatform } from '@ringfence/contract'
import type { AppSettings } from './app-settings.ts'

export type { AppSettings } from './app-settings.ts'

export interface App {
  /** `rfa_…`. Public: pages and app bundles contain it. */
  readonly id: string
  readonly tenantId: string
  readonly name: string
  /** Origins of the web app: `https://shop.example`. */
  readonly origins: readonly string[]
  readonly bundleIds: readonly string[]
  readonly packageNames: readonly string[]
  readonly settings: AppSettings
}

/** One run of an SDK in one app on one device. Lasts minutes. */
export interface SdkSession {
  /** `<UUID>-<epoch seconds>`. The `sessionId` of a report. */
  readonly id: string
  readonly app: App
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  /** Of Android or iOS, as the SDK says. */
  readonly systemVersion?: string
  readonly expiresAt: number
}
