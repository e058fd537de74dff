// What is an app? A web site or mobile app of a tenant, whose SDK calls with the app's id and never with a secret.

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

export interface AppSettings {
  /** `secureInfo` and `secure_info` are told where the facts of a sign-in were analysed. */
  readonly secure: boolean
  /** The push answers with the report too. */
  readonly revealReport: boolean
  /** Params of a push and keys of `additionalInput` that the report shows as `additionalData`. */
  readonly additionalDataFields: readonly string[]
  /** Sign-in channels of the configuration file that this app offers; absent: all. */
  readonly channels?: readonly string[]
  /** Beside the origins: addresses that a redirect or magic link may lead back to. */
  readonly redirectUrls: readonly string[]
}

export type DevicePlatform = 'WEB' | 'IOS' | 'ANDROID'

/** An SDK that runs in one app on one device, for minutes. */
export interface SdkSession {
  /** `<UUID>-<epoch seconds>`; the `sessionId` of a report. */
  readonly id: string
  readonly app: App
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  readonly expiresAt: number
}
