// Which app has this id, and may a page of this origin call at all? Read from the store and cached for a second.

import type { GuessLimit } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import { isApiKey, makeApiKey } from '../core/crypto/api-key.ts'
import { Refusal } from '../core/errors.ts'
import { ExpiringMap } from '../core/expiring-map.ts'
import { type Database, UniqueViolation } from '../core/storage/database.ts'
import type { App } from './app.ts'
import { originKeys } from './package.ts'
import {
  disableApp,
  hasApp,
  insertApp,
  isListedOrigin as isOriginStored,
  replaceApp,
  revokeSessions,
} from './store/apps.ts'
import { findApp, type StoredApp } from './stored-apps.ts'

/** What the owner of an app chooses. */
export type AppDescription = Omit<App, 'id' | 'tenantId'>

export interface Apps {
  /** Refuses with `appExists`. */
  create(tenantId: string, description: AppDescription): Promise<App>
  /** Running servers use the change within a second. Refuses with `appExists`. */
  update(app: App): Promise<void>
  /** Its SDKs are refused, by running servers within a second. */
  disable(appId: string): Promise<void>
  /** Its sessions that began before this time are refused, by running servers within a second. Epoch milliseconds. */
  revokeSessions(appId: string, before: number): Promise<void>
  /**
   * The app of an appId header. Refuses with `appIdMalformed`, `appUnknown` or `appDisabled`. Beyond `limit`, only ids that were right
   * before are looked up.
   */
  named(appId: string | undefined, limit?: GuessLimit): Promise<StoredApp>
  /** Whether the tenant has an app, including disabled ones. Without an app there are no sessions. */
  tenantHasApps(tenantId: string): Promise<boolean>
  /**
   * Whether any app lists the origin. Answers a browser's preflight, which has no app id. Each call
   * then checks the origin against its own app.
   */
  isListedOrigin(origin: string): Promise<boolean>
}

/** How late a change reaches a running server. */
const cacheMs = 1000
/** Entries of each cache. */
const cacheSize = 10_000
/** Ids that were right are looked up, whoever tries others at the same IP address, for this long. */
const trustMs = 24 * 3_600_000

/** The name is all that two apps could have in common. */
const namedAlone = (written: Promise<void>): Promise<void> =>
  written.catch((error) => {
    throw error instanceof UniqueViolation ? new Refusal('appExists') : error
  })

export function apps(database: Database, clock: Clock): Apps {
  const limits = { clock, ttlMs: cacheMs, most: cacheSize }
  const cachedApps = new ExpiringMap<string, StoredApp>(limits)
  const wereRight = new ExpiringMap<string, true>({ ...limits, ttlMs: trustMs })
  const listedOrigins = new ExpiringMap<string, true>(limits)
  const cachedHasApps = new ExpiringMap<string, boolean>(limits)

  return {
    async create(tenantId, description) {
      const app = { id: makeApiKey('rfa'), tenantId, ...description, createdAt: clock.now() }
      await namedAlone(database.transaction((tx) => insertApp(tx, app)))
      return app
    },

    async update(app) {
      await namedAlone(database.transaction((tx) => replaceApp(tx, app)))
      cachedApps.delete(app.id)
    },

    async disable(appId) {
      await disableApp(database, appId, clock.now())
      cachedApps.delete(appId)
    },

    async revokeSessions(appId, before) {
      await revokeSessions(database, appId, before)
      cachedApps.delete(appId)
    },

    async named(appId, limit) {
      if (appId === undefined || !isApiKey(appId, 'rfa')) throw new Refusal('appIdMalformed')
      const cached = cachedApps.get(appId)
      if (cached) return cached
      if (!wereRight.get(appId)) limit?.refuseIfSpent()
      const since = clock.now()
      const app = await findApp(database, appId)
      if (!app || app.disabledAt !== null) {
        wereRight.delete(appId)
        await limit?.countWrong()
        throw new Refusal(app ? 'appDisabled' : 'appUnknown')
      }
      wereRight.set(appId, true)
      cachedApps.set(appId, app, { since })
      return app
    },

    async tenantHasApps(tenantId) {
      const cached = cachedHasApps.get(tenantId)
      if (cached !== undefined) return cached
      const since = clock.now()
      const hasApps = await hasApp(database, tenantId)
      cachedHasApps.set(tenantId, hasApps, { since })
      return hasApps
    },

    async isListedOrigin(origin) {
      if (listedOrigins.get(origin)) return true
      const since = clock.now()
      if (!(await isOriginStored(database, originKeys(origin)))) return false
      listedOrigins.set(origin, true, { since })
      return true
    },
  }
}
