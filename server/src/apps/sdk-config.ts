// How does an SDK start? GET /sdk/v1/device-fingerprint/config: a session, its first challenge, and the facts to collect.

import type { DevicePlatform } from '@ringfence/contract'
import { AndroidFacts, IosFacts, type SdkConfig, type SdkConfigQuery, WebFacts } from '@ringfence/contract'
import type { Core } from '../core/core.ts'
import { Refusal } from '../core/errors.ts'
import type { AppCall } from './call.ts'
import { switchesFor } from './collect.ts'
import { listsPackage, mayCallFrom, unlisted } from './package.ts'
import { startSession } from './session.ts'

/**
 * Refuses with `packageUnlisted` when the app does not list the package, and with `originUnlisted`
 * when the browser's Origin header does not match.
 */
export async function sdkConfig(query: SdkConfigQuery, { app, origin }: AppCall, service: Core): Promise<SdkConfig> {
  const { packageName, platform } = query
  if (!listsPackage(app, platform, packageName)) {
    throw new Refusal('packageUnlisted', { mistake: unlisted(app, platform, packageName) })
  }
  if (!mayCallFrom(origin, { app, platform, packageName })) throw new Refusal('originUnlisted')
  const { id, token, challenge, expiresAt } = await startSession(app, query, service)
  return {
    sessionId: id,
    sessionToken: token,
    expiresAt: new Date(expiresAt).toISOString(),
    challenge,
    collect: { ...collectedByDefault(platform), ...switchesFor({ ...query, app }) },
  }
}

/** Every fact of the platform in the contract, unless it is off by default. */
const collectedByDefault = (platform: DevicePlatform): Record<string, boolean> =>
  Object.fromEntries(factsByPlatform[platform].map((fact) => [fact, !offByDefault[platform].includes(fact)]))

/** No reason of Apple allows an app of the App Store to send disk space from the device. */
const offByDefault: Readonly<Record<DevicePlatform, readonly string[]>> = { WEB: [], IOS: ['diskSpace'], ANDROID: [] }

/** Names of the facts that an SDK of the platform can send. */
export const factsByPlatform: Readonly<Record<DevicePlatform, readonly string[]>> = {
  WEB: Object.keys(WebFacts.properties),
  IOS: Object.keys(IosFacts.properties),
  ANDROID: Object.keys(AndroidFacts.properties),
}
