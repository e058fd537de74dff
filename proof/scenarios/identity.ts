// Is a device recognised in another condition? A visit yesterday, then one in the condition, with storage kept and cleared.

import { isDeepStrictEqual } from 'node:util'
import { type Judgement, judgeAll } from '@ringfence/server/device/signals/judge.ts'
import type { Circumstance } from './circumstances.ts'
import { away, type Condition, home } from './conditions.ts'
import { openDaysBefore } from './day-before.ts'
import { evidenceOf } from './judge.ts'
import { type LibraryName, libraryNames } from './libraries.ts'
import type { OldVersions } from './old-versions.ts'
import type { Told } from './page.ts'
import { type BrowserName, openAsPerson } from './people.ts'
import type { Play } from './play.ts'
import { copyOf } from './service.ts'

export interface Recognised {
  /** Facts that differ from the day before. */
  readonly changes: readonly string[]
  /** It was merged with one of the other devices in the store. */
  readonly isMixedUp: boolean
  /** Whether the id was that of the day before, with the storage that the condition leaves, and with storage cleared. */
  readonly kept: boolean
  readonly keptCleared: boolean
  /** Whether the token decided: a private window or a new profile has none. */
  readonly isByToken: boolean
  /** The same for each library that identifies devices. */
  readonly keptByLibraries: Partial<Record<LibraryName, boolean>>
  readonly told: Told
  /** The facts of the day before. */
  readonly toldBefore: Told
  readonly judgement: Judgement
}

/** Names of facts that differ, except those that describe the moment. */
function changesBetween(before: Told['facts'], now: Told['facts']): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return names.filter((name) => !isDeepStrictEqual(before[name], now[name]) && !ofTheMoment.includes(name))
}

const ofTheMoment = ['fileSystem', 'inspection', 'windowGeometry', 'connection']

export interface Identity {
  /** `undefined` where no older version exists to update from. */
  recognise(condition: Condition & { circumstance?: Circumstance }): Promise<Recognised | undefined>
  /** The identity of a browser on the day before; `undefined` where the browser is not installed. */
  deviceIdOf(browser: BrowserName): Promise<string | undefined>
}

export function openIdentity(play: Play, old: OldVersions): Identity {
  const days = openDaysBefore(play, old)
  return {
    async recognise({
      browser,
      habits,
      isNewProfile,
      isReloaded,
      isUpdated = false,
      isAway,
      isAtHomeTime,
      screen,
      delayMs,
      circumstance,
    }) {
      const before = await days.of(browser, isUpdated, circumstance)
      if (!before) return undefined
      const address = isAway ? away.address : home.address
      const asksLibraries = circumstance === undefined
      const options = { address, asksLibraries, ...circumstance?.page, ...(delayMs && { delayMs }) }
      const environment = { TZ: isAway && !isAtHomeTime ? away.zone : home.zone, ...habits.environment }
      const started = { ...habits, environment, ...(!isNewProfile && { profile: before.profile }) }
      // The service learns nothing from these visits.
      const fresh = async () => play.lead(await copyOf(before.store, await play.folder()))
      const [told, deviceId, clearedId] = await play.browse(
        (url, stage) => openAsPerson(browser, url, started, stage),
        { ...(screen && { screen }), ...(circumstance?.isSlow && { isSlow: true }) },
        async (visit) => {
          if (isReloaded) await visit({ ...options, asksLibraries: false })
          const first = await fresh()
          const told = await visit(options)
          const deviceId = await first.deviceIdOf(told.dfrId)
          const second = await fresh()
          const cleared = await visit({ ...options, isCleared: true, asksLibraries: false })
          if (cleared.broughtToken) throw new Error('Storage was not cleared')
          return [told, deviceId, await second.deviceIdOf(cleared.dfrId)]
        },
      )
      const byLibraries = libraryNames.flatMap((name) => {
        const id = before.told.opinions[name]?.id
        return id === undefined ? [] : [[name, told.opinions[name]?.id === id]]
      })
      return {
        changes: changesBetween(before.told.facts, told.facts),
        isMixedUp: [deviceId, clearedId].some((id) => before.store.others.has(id)),
        kept: deviceId === before.deviceId,
        keptCleared: clearedId === before.deviceId,
        isByToken: told.broughtToken,
        keptByLibraries: Object.fromEntries(byLibraries),
        told,
        toldBefore: before.told,
        judgement: judgeAll(evidenceOf(told, undefined, Date.now())),
      }
    },
    async deviceIdOf(browser) {
      return (await days.of(browser))?.deviceId
    },
  }
}
