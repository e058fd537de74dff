// What did the service know on the day before? A visit of the browser at home, and what its circumstance adds.

import { existsSync } from 'node:fs'
import type { Circumstance } from './circumstances.ts'
import { home } from './conditions.ts'
import { addIdenticalDevices } from './identical-devices.ts'
import type { OldVersions } from './old-versions.ts'
import type { Told, VisitOptions } from './page.ts'
import { type BrowserName, copyFolder, openAsPerson, programs } from './people.ts'
import type { Play } from './play.ts'
import { copyOf, type Store } from './service.ts'

/** The day before: the store, the profile, and the device's id. */
export interface DayBefore {
  readonly store: Store
  readonly profile: string
  readonly deviceId: string
  readonly told: Told
}

export interface DaysBefore {
  /** `isOld`: in the previous version of the browser. `undefined` where it is not installed, or where Debian has none. */
  of(browser: BrowserName, isOld?: boolean, circumstance?: Circumstance): Promise<DayBefore | undefined>
}

const hourMs = 3_600_000
/** Visits of the days before, in order: how long ago each was. */
const times = { first: 52 * hourMs, between: 40 * hourMs, last: 26 * hourMs } as const

/** Each browser visits once for all conditions that begin with the same day. */
export function openDaysBefore(play: Play, old: OldVersions): DaysBefore {
  const days = new Map<string, Promise<DayBefore | undefined>>()

  const commandOf = (browser: BrowserName, isOld: boolean) => {
    const command = isOld ? (browser === 'webkit' ? undefined : old[browser]?.command) : programs[browser]
    return command && existsSync(command) ? command : undefined
  }

  /** A new profile, which is kept for the next day. Each of `visits` is made in turn. */
  async function browse<Result>(
    browser: BrowserName,
    command: string,
    work: (visit: (options?: VisitOptions) => Promise<Told>) => Promise<Result>,
  ): Promise<{ profile: string; result: Result }> {
    const profile = await play.folder()
    const habits = { command, environment: { TZ: home.zone } }
    const result = await play.browse(
      (url, stage) => openAsPerson(browser, url, habits, stage),
      { keep: (folder) => copyFolder(folder, profile) },
      (visit) => work((options) => visit({ address: home.address, ...options })),
    )
    return { profile, result }
  }

  async function ordinaryDay(browser: BrowserName, command: string, page: VisitOptions = {}): Promise<DayBefore> {
    const store = await copyOf(play.store, await play.folder())
    const service = await play.lead(store, times.last)
    const { profile, result: told } = await browse(browser, command, (visit) => visit(page))
    return { store, profile, told, deviceId: await service.deviceIdOf(told.dfrId) }
  }

  /** The device visits first, then the four others, then the device again: it was seen last. */
  async function dayOfIdenticalDevices(browser: BrowserName, command: string): Promise<DayBefore> {
    const store = await copyOf(play.store, await play.folder())
    const { profile, result } = await browse(browser, command, async (visit) => {
      const first = await play.lead(store, times.first)
      const before = await visit({ asksLibraries: false })
      const deviceId = await first.deviceIdOf(before.dfrId)
      const others = await addIdenticalDevices(before, play.origin, await play.lead(store, times.between))
      if (others.has(deviceId)) throw new Error('An identical device got the id of the device')
      const last = await play.lead(store, times.last)
      const told = await visit()
      if ((await last.deviceIdOf(told.dfrId)) !== deviceId)
        throw new Error('The device got another id by its own token')
      return { told, deviceId }
    })
    return { store, profile, ...result }
  }

  /** The newer version visits first, then the older one in a new profile, which may be another device to the service. */
  async function dayOfDowngrade(browser: BrowserName): Promise<DayBefore | undefined> {
    const commands = [commandOf(browser, false), commandOf(browser, true)]
    const [newer, older] = commands
    if (!newer || !older) return undefined
    const store = await copyOf(play.store, await play.folder())
    const first = await play.lead(store, times.first)
    const before = await browse(browser, newer, (visit) => visit())
    const deviceId = await first.deviceIdOf(before.result.dfrId)
    await play.lead(store, times.last)
    await browse(browser, older, (visit) => visit())
    const { profile, result: told } = before
    return { store, profile, told, deviceId }
  }

  async function dayOf(browser: BrowserName, isOld: boolean, circumstance?: Circumstance) {
    if (circumstance?.isDowngraded) return dayOfDowngrade(browser)
    const command = commandOf(browser, isOld)
    if (!command) return undefined
    if (circumstance?.hasIdenticalDevices) return dayOfIdenticalDevices(browser, command)
    return ordinaryDay(browser, command, circumstance?.pageBefore)
  }

  return {
    of(browser, isOld = false, circumstance) {
      const isOwn = circumstance?.hasIdenticalDevices || circumstance?.isDowngraded || circumstance?.pageBefore
      const name = `${browser} ${isOld} ${isOwn ? circumstance?.name : ''}`
      const day = days.get(name) ?? dayOf(browser, isOld, circumstance)
      days.set(name, day)
      return day
    },
  }
}
