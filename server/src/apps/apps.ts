// Which app is this, and may a page of this origin ask at all? Read from the store, and remembered for a moment.

import type { Clock } from '../clock.ts'
import { isApiKey, makeApiKey } from '../crypto/api-key.ts'
import { Refusal } from '../errors.ts'
import { disableApp, hasApp, insertApp, isListedOrigin, replaceApp } from '../storage/apps.ts'
import type { Database } from '../storage/database.ts'
import type { App } from './app.ts'
import { originKeys } from './package.ts'
import { findApp, type StoredApp } from './stored-apps.ts'

/** What an owner says of an app. */
export type AppDescription = Omit<App, 'id' | 'tenantId'>

export interface Apps {
  create(tenantId: string, description: AppDescription): Promise<App>
  /** Running servers notice within a second. */
  update(app: App): Promise<void>
  /** Its SDKs are refused from now on, by running servers within a second. */
  disable(appId: string): Promise<void>
  /** The app of an appId header. Refuses with `appIdMalformed`, `appUnknown` or `appDisabled`. */
  named(appId: string | undefined): Promise<App>
  /** Whether the tenant has any, disabled ones among them: where there is none, there are no sessions. */
  anyOf(tenantId: string): Promise<boolean>
  /**
   * Whether any app lists the origin. Decides what a browser may ask and read at all, as it asks that before it sends an app id;
   * whether the origin is one of the app's own is looked at in each call.
   */
  listOrigin(origin: string): Promise<boolean>
}

/** Bounds how late a change reaches a running server. */
const rememberMs = 1000
/** Origins come from outside; beyond so many they are read each time. */
const rememberedOrigins = 10_000

export function apps(database: Database, clock: Clock): Apps {
  const known = new Map<string, { app: StoredApp; untilMs: number }>()
  const listed = new Map<string, number>()
  const owners = new Map<string, { hasApps: boolean; untilMs: number }>()
  const isFresh = (untilMs: number) => clock.now() < untilMs && untilMs - clock.now() <= rememberMs

  return {
    async create(tenantId, description) {
      const app = { id: makeApiKey('rfa'), tenantId, ...description, createdAt: clock.now() }
      await database.transaction((tx) => insertApp(tx, app))
      return app
    },

    async update(app) {
      await database.transaction((tx) => replaceApp(tx, app))
      known.delete(app.id)
    },

    async disable(appId) {
      await disableApp(database, appId, clock.now())
      known.delete(appId)
    },

    async named(appId) {
      if (appId === undefined || !isApiKey(appId, 'rfa')) throw new Refusal('appIdMalformed')
      const remembered = known.get(appId)
      if (remembered && isFresh(remembered.untilMs)) return remembered.app
      known.delete(appId)
      const untilMs = clock.now() + rememberMs
      const app = await findApp(database, appId)
      if (!app) throw new Refusal('appUnknown')
      if (app.disabledAt !== null) throw new Refusal('appDisabled')
      known.set(appId, { app, untilMs })
      return app
    },

    async anyOf(tenantId) {
      const remembered = owners.get(tenantId)
      if (remembered && isFresh(remembered.untilMs)) return remembered.hasApps
      const untilMs = clock.now() + rememberMs
      const hasApps = await hasApp(database, tenantId)
      owners.set(tenantId, { hasApps, untilMs })
      return hasApps
    },

    async listOrigin(origin) {
      if (isFresh(listed.get(origin) ?? 0)) return true
      listed.delete(origin)
      const untilMs = clock.now() + rememberMs
      if (!(await isListedOrigin(database, originKeys(origin)))) return false
      if (listed.size < rememberedOrigins) listed.set(origin, untilMs)
      return true
    },
  }
}
