// How is a scenario run? On a screen and a site that all of them share, each with a folder of its own.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Judgement, judgeAll } from '@ringfence/server/device/signals/index.ts'
import { within } from '../scripts/browsers.ts'
import { openDisplay } from './display.ts'
import { evidenceOf } from './judge.ts'
import { openSite, type Told } from './page.ts'
import type { Scenario } from './scenario.ts'

/** What a browser of a loaded machine may take until its page has told its facts. */
const patienceMs = 40_000

export interface Played {
  readonly told: Told
  readonly judgement: Judgement
  /** Epoch milliseconds of the judgement. */
  readonly now: number
}

export interface Play {
  /** Throws when the browser cannot be opened, or its page tells nothing. All that was started has ended by then. */
  run(scenario: Scenario): Promise<Played>
  close(): Promise<void>
}

export async function openPlay(): Promise<Play> {
  const display = await openDisplay()
  const site = await openSite()
  return {
    async run(scenario) {
      await using ending = new AsyncDisposableStack()
      const folder = await mkdtemp(join(tmpdir(), 'ringfence-scenario-'))
      await chmod(folder, 0o777) // browsers run as another user
      ending.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
      const after = (clean: () => unknown) =>
        ending.defer(() => within(patienceMs, 'To end the browser', Promise.try(clean)).then(() => {}))
      const { url, told } = site.visit()
      const opened = scenario.open(url, { display, folder, after })
      const all = await within(
        patienceMs,
        'To open the page and read its facts',
        opened.then(() => told),
      )
      const now = Date.now()
      return { told: all, judgement: judgeAll(evidenceOf(all, scenario.zoneOfAddress, now)), now }
    },
    async close() {
      await site.close()
      display.close()
    },
  }
}
