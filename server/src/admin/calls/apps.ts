// POST /admin/v1/apps…: creates, changes and disables the apps of a tenant.

import type {
  CreateAppRequest,
  DisableAppRequest,
  RevokeSessionsRequest,
  ShownApp,
  UpdateAppRequest,
} from '@ringfence/contract'
import type { Static } from 'typebox'
import type { AppSettings } from '../../apps/app-settings.ts'
import { changedSettings } from '../../apps/changed-settings.ts'
import { asOrigin } from '../../apps/package.ts'
import { findApp, listApps, type StoredApp } from '../../apps/stored-apps.ts'
import { Refusal } from '../../core/errors.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { isoTime, timeMember } from './iso-time.ts'

const mostApps = 100

export const shownApp = (app: StoredApp): Static<typeof ShownApp> => ({
  ...{ appId: app.id, name: app.name, origins: [...app.origins] },
  ...{ bundleIds: [...app.bundleIds], packageNames: [...app.packageNames], settings: { ...app.settings } },
  createdAt: isoTime(app.createdAt),
  ...timeMember('disabledAt', app.disabledAt),
  ...timeMember('sessionsRevokedBefore', app.sessionsRevokedBefore),
})

/** Refuses with `fieldInvalid`, `limitReached` or `appExists`. */
export async function adminCreateApp(
  { name, origins = [], bundleIds = [], packageNames = [], settings = {} }: CreateAppRequest,
  { actor: { tenantId } }: ActorCall,
  { apps, database }: AdminNeeds,
): Promise<Static<typeof ShownApp>> {
  const description = { name, origins: asOrigins(origins), bundleIds, packageNames, settings: checked({}, settings) }
  refuseUnidentified(description)
  const live = (await listApps(database, tenantId)).filter(({ disabledAt }) => disabledAt === null)
  if (live.length >= mostApps) throw new Refusal('limitReached', { mistake: `${mostApps} apps; disable one first` })
  const { id } = await apps.create(tenantId, description)
  return shownApp((await findApp(database, id))!)
}

/** Refuses with `fieldInvalid`, `appNotFound` or `appExists`. */
export async function adminUpdateApp(
  { appId, name, origins, bundleIds, packageNames, settings = {} }: UpdateAppRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Static<typeof ShownApp>> {
  const before = await ownApp(appId, call, needs)
  const after = {
    ...before,
    name: name ?? before.name,
    origins: origins ? asOrigins(origins) : before.origins,
    bundleIds: bundleIds ?? before.bundleIds,
    packageNames: packageNames ?? before.packageNames,
    settings: checked(before.settings, settings),
  }
  refuseUnidentified(after)
  await needs.apps.update(after)
  return shownApp(after)
}

/** Refuses with `appNotFound`. */
export async function adminDisableApp(
  { appId }: DisableAppRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Static<typeof ShownApp>> {
  const { disabledAt } = await ownApp(appId, call, needs)
  if (disabledAt === null) await needs.apps.disable(appId)
  return shownApp(await ownApp(appId, call, needs))
}

/** Refuses with `appNotFound`, and with `fieldInvalid` a time in the future. */
export async function adminRevokeSessions(
  { appId, before }: RevokeSessionsRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Static<typeof ShownApp>> {
  const now = needs.clock.now()
  const until = before === undefined ? now : Date.parse(before)
  if (until > now) throw new Refusal('fieldInvalid', { mistake: 'before must not be in the future' })
  await ownApp(appId, call, needs)
  await needs.apps.revokeSessions(appId, until)
  return shownApp(await ownApp(appId, call, needs))
}

async function ownApp(appId: string, { actor }: ActorCall, { database }: AdminNeeds): Promise<StoredApp> {
  const app = await findApp(database, appId)
  if (app?.tenantId !== actor.tenantId) throw new Refusal('appNotFound')
  return app
}

function asOrigins(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const origin = asOrigin(text)
    if (origin !== undefined) return origin
    const mistake = `origins: ${text} must be scheme, host and port, such as https://shop.example; the port * is only allowed on localhost, 127.0.0.1 and [::1]`
    throw new Refusal('fieldInvalid', { mistake })
  })
}

function refuseUnidentified(app: Pick<StoredApp, 'origins' | 'bundleIds' | 'packageNames'>): void {
  if (app.origins.length + app.bundleIds.length + app.packageNames.length > 0) return
  const mistake = 'origins: an app needs at least one origin, bundle id or package name'
  throw new Refusal('fieldInvalid', { mistake })
}

function checked(before: Partial<AppSettings>, changes: Readonly<Record<string, unknown>>): AppSettings {
  try {
    return changedSettings(before, changes)
  } catch (error) {
    throw new Refusal('fieldInvalid', { mistake: `settings: ${(error as Error).message}` })
  }
}
