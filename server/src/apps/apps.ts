// Which app is this, and may a page of this origin ask at all? Read from the store, and remembered for a moment.

import type { Clock } from '../clock.ts'
import { isApiKey, makeApiKey } from '../crypto/api-key.ts'
import { Refusal } from '../errors.ts'
import { ExpiringMap } from '../expiring-map.ts'
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
/** Of each: apps, origins, tenants. */
const mostRemembered = 10_000

export function apps(database: Database, clock: Clock): Apps {
  const remembered = { clock, ttlMs: rememberMs, most: mostRemembered }
  const known = new ExpiringMap<string, StoredApp>(remembered)
  const listed = new ExpiringMap<string, true>(remembered)
  const owners = new ExpiringMap<string, boolean>(remembered)

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
      if (remembered) return remembered
      const since = clock.now()
      const app = await findApp(database, appId)
      if (!app) throw new Refusal('appUnknown')
      if (app.disabledAt !== null) throw new Refusal('appDisabled')
      known.set(appId, app, { since })
      return app
    },

    async anyOf(tenantId) {
      const remembered = owners.get(tenantId)
      if (remembered !== undefined) return remembered
      const since = clock.now()
      const hasApps = await hasApp(database, tenantId)
      owners.set(tenantId, hasApps, { since })
      return hasApps
    },

    async listOrigin(origin) {
      if (listed.get(origin)) return true
      const since = clock.now()
      if (!(await isListedOrigin(database, originKeys(origin)))) return false
      listed.set(origin, true, { since })
      return true
    },
  }
}
