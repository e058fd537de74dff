// How does an SDK start? GET /sdk/v1/device-fingerprint/config: a session, its first challenge, and the facts to collect.

import type { DevicePlatform } from '@ringfence/contract'
import { AndroidFacts, IosFacts, type SdkConfig, type SdkConfigQuery, WebFacts } from '@ringfence/contract'
import type { Core } from '../core/core.ts'
import { Refusal } from '../core/errors.ts'
import type { App } from './app.ts'
import type { AppCall } from './call.ts'
import { listsPackage, mayCallFrom, unlisted } from './package.ts'
import { startSession } from './session.ts'

/**
 * Refuses with `packageUnlisted` when the app does not list the package, and with `originUnlisted`
 * when the browser's Origin header does not match.
 */
export async function sdkConfig(
  { packageName, platform }: SdkConfigQuery,
  { app, origin }: AppCall,
  service: Core,
): Promise<SdkConfig> {
  if (!listsPackage(app, platform, packageName)) {
    throw new Refusal('packageUnlisted', { mistake: unlisted(app, platform, packageName) })
  }
  if (!mayCallFrom(origin, { app, platform, packageName })) throw new Refusal('originUnlisted')
  const { id, token, challenge, expiresAt } = await startSession(app, platform, packageName, service)
  return {
    sessionId: id,
    sessionToken: token,
    expiresAt: new Date(expiresAt).toISOString(),
    challenge,
    collect: collectedFacts(app, platform),
  }
}

/** Every fact of the platform in the contract, unless it is off by default or the app turns it off. */
function collectedFacts({ settings }: App, platform: DevicePlatform): Record<string, boolean> {
  const facts = factsByPlatform[platform].map((fact) => [fact, !offByDefault[platform].includes(fact)])
  return { ...Object.fromEntries(facts), ...settings.collect }
}

/** No reason of Apple allows an app of the App Store to send disk space from the device. */
const offByDefault: Readonly<Record<DevicePlatform, readonly string[]>> = { WEB: [], IOS: ['diskSpace'], ANDROID: [] }

/** Names of the facts that an SDK of the platform can send. */
export const factsByPlatform: Readonly<Record<DevicePlatform, readonly string[]>> = {
  WEB: Object.keys(WebFacts.properties),
  IOS: Object.keys(IosFacts.properties),
  ANDROID: Object.keys(AndroidFacts.properties),
}
