// GET /sdk/v1/device-fingerprint/config: how does an SDK begin? With a session, its first challenge, and what to collect.

import { AndroidFacts, IosFacts, type SdkConfig, type SdkConfigQuery, WebFacts } from '@ringfence/contract'
import type { AppCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import type { App, DevicePlatform } from './app.ts'
import { listsPackage, mayCallFrom } from './package.ts'
import { beginSession } from './session.ts'

/**
 * Refuses with `packageUnlisted` what the app does not list, and with `originUnlisted` a page that was loaded from elsewhere than
 * it says, or is none of the app's: a browser sends its true origin.
 */
export async function sdkConfig(
  { packageName, platform }: SdkConfigQuery,
  { app, origin }: AppCall,
  service: Platform,
): Promise<SdkConfig> {
  if (!listsPackage(app, platform, packageName)) throw new Refusal('packageUnlisted')
  if (!mayCallFrom(origin, { app, platform, packageName })) throw new Refusal('originUnlisted')
  const { id, token, challenge, expiresAt } = await beginSession(app, platform, packageName, service)
  return {
    sessionId: id,
    sessionToken: token,
    expiresAt: new Date(expiresAt).toISOString(),
    challenge,
    collect: collectedFacts(app, platform),
  }
}

/** Every fact that the contract names for the platform, unless the app switched it off, and what else the app says. */
function collectedFacts({ settings }: App, platform: DevicePlatform): Record<string, boolean> {
  const known = factsByPlatform[platform]
  return { ...Object.fromEntries(known.map((fact) => [fact, true])), ...settings.collect }
}

/** The facts that an SDK of the platform may tell, by name. */
export const factsByPlatform: Readonly<Record<DevicePlatform, readonly string[]>> = {
  WEB: Object.keys(WebFacts.properties),
  IOS: Object.keys(IosFacts.properties),
  ANDROID: Object.keys(AndroidFacts.properties),
}
