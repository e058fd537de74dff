// What is an app? A web site or mobile app of a tenant, whose SDK calls with the app's id and never with a secret.

import type { AppSettings } from './app-settings.ts'

export type { AppSettings } from './app-settings.ts'

export interface App {
  /** Public: `rfa_…`; it stands in pages and app bundles. */
  readonly id: string
  readonly tenantId: string
  readonly name: string
  /** Where a WEB app is served: `https://shop.example`. */
  readonly origins: readonly string[]
  readonly bundleIds: readonly string[]
  readonly packageNames: readonly string[]
  readonly settings: AppSettings
}

export type DevicePlatform = 'WEB' | 'IOS' | 'ANDROID'

/** An SDK that runs in one app on one device, for minutes. */
export interface SdkSession {
  /** `<UUID>-<epoch seconds>`; the `sessionId` of a report. */
  readonly id: string
  /** Where it is stored: a hash of its bearer token. */
  readonly key: Uint8Array
  readonly app: App
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  readonly expiresAt: number
}
