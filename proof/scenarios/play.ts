// How is a scenario run? On a shared screen and site, in a separate folder.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Judgement, judgeAll } from '@ringfence/server/device/signals/judge.ts'
import { within } from '../../scripts/browsers.ts'
import { type Display, openDisplay, type ScreenSize } from './display.ts'
import { evidenceOf } from './judge.ts'
import { openSite, type Told, type Visit, type VisitOptions } from './page.ts'
import type { Scenario } from './scenario.ts'
import { copyOf, makeStore, openService, type Service, type Store } from './service.ts'
import { openSlowMachine } from './slow-machine.ts'

/** The time limit until a page has sent its facts, on a busy machine. */
const patienceMs = 60_000

export interface Played {
  readonly told: Told
  readonly judgement: Judgement
  /** Time of the judgement, in epoch milliseconds. */
  readonly now: number
}

export interface Play {
  /** The store before any visit; copies of it can be opened. */
  readonly store: Store
  /** Throws when the browser cannot be opened or its page sends nothing. By then everything that was started has ended. */
  run(scenario: Scenario): Promise<Played>
  /**
   * Opens a browser for as long as `work` runs. Its first visit opens the page, later visits lead the page on.
   * `keep` gets the folder when the browser has ended.
   */
  browse<Result>(
    open: Scenario['open'],
    surroundings: { screen?: ScreenSize; isSlow?: boolean; keep?(folder: string): Promise<unknown> },
    work: (visit: (options?: VisitOptions) => Promise<Told>) => Promise<Result>,
  ): Promise<Result>
  /** Opens another service behind the site; the previous one is closed. Its clock is `agoMs` behind. */
  lead(store: Store, agoMs?: number): Promise<Service>
  /** Origin of the site. */
  readonly origin: string
  /** A folder that is deleted when the play ends. */
  folder(): Promise<string>
  close(): Promise<void>
}

/** @param asksLibraries whether pages run the libraries too */
export async function openPlay({ asksLibraries = false } = {}): Promise<Play> {
  const ending = new AsyncDisposableStack()
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'ringfence-scenario-'))
    await chmod(made, 0o777) // browsers run as another user
    return made
  }
  const keptFolder = async () => {
    const made = await folder()
    ending.defer(() => rm(made, { recursive: true, force: true, maxRetries: 5 }))
    return made
  }
  const displays = new Map<ScreenSize, Display>()
  ending.defer(() => {
    for (const display of displays.values()) display.close()
  })
  const displayOf = async (size: ScreenSize) => {
    const display = displays.get(size) ?? (await openDisplay(size))
    displays.set(size, display)
    return display
  }
  const site = await openSite()
  ending.defer(() => site.close())
  let service: Service | undefined
  ending.defer(() => service?.close())
  const store = await makeStore(await keptFolder(), site.origin)

  async function lead(store: Store, agoMs = 0): Promise<Service> {
    await service?.close()
    service = undefined
    service = await openService(store, agoMs)
    site.leadTo(service)
    return service
  }

  const browse: Play['browse'] = async (open, { screen = '1280x800', isSlow = false, keep }, work) => {
    await using ending = new AsyncDisposableStack()
    running.add(ending)
    ending.defer(() => void running.delete(ending))
    const own = await folder()
    ending.defer(() => rm(own, { recursive: true, force: true, maxRetries: 5 }))
    if (keep) ending.defer(() => keep(own).then(() => {}))
    const after = (clean: () => unknown) =>
      ending.defer(() => within(patienceMs, 'To end the browser', Promise.try(clean)).then(() => {}))
    const machine = isSlow ? openSlowMachine() : undefined
    if (machine) ending.defer(() => machine.remove())
    const stage = { display: await displayOf(screen), folder: own, after, started: (pid: number) => machine?.add(pid) }
    let last: Visit | undefined
    return await work(async (options) => {
      machine?.setSlow(false)
      const opened = () => machine?.setSlow(true)
      const next = site.visit({ asksLibraries: asksLibraries && !isSlow, hasDefaultLimits: isSlow, opened, ...options })
      const opening = last ? last.leadOn(next.url) : open(next.url, stage)
      last = next
      const told = Promise.all([next.told, opening]).then(([told]) => told)
      return within(isSlow ? 3 * patienceMs : patienceMs, 'To open the page and read its facts', told)
    })
  }

  const running = new Set<AsyncDisposableStack>()
  ending.defer(async () => {
    for (const one of running) await one.disposeAsync() // the end of the program does not wait for its scenarios
  })
  await lead(await copyOf(store, await keptFolder()))
  return {
    store,
    browse,
    lead,
    origin: site.origin,
    folder: keptFolder,
    async run({ open, delayMs, isFramed = false, zoneOfAddress }) {
      const told = await browse(open, {}, (visit) => visit({ isFramed, ...(delayMs && { delayMs }) }))
      const now = Date.now()
      return { told, judgement: judgeAll(evidenceOf(told, zoneOfAddress, now)), now }
    },
    close: () => ending.disposeAsync(),
  }
}
