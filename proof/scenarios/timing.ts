// How long do we and the libraries take? Each alone in a separate page, in turn, in a warm browser.

import { buildBrowserSdk } from '../../scripts/build-browser-sdk.ts'
import { median } from '../quantiles.ts'
import { gzipBytesOf, type LibraryName, libraryNames } from './libraries.ts'
import { type BrowserName, openAsPerson } from './people.ts'
import type { Play } from './play.ts'

export type Contestant = 'ours' | LibraryName
export const contestants: readonly Contestant[] = ['ours', ...libraryNames]

const rounds = 5

/** Median milliseconds; for ours until the facts are sent to the service. */
export function timesIn(browser: BrowserName, play: Play): Promise<Record<Contestant, number>> {
  return play.browse(
    (url, stage) => openAsPerson(browser, url, {}, stage),
    {},
    async (visit) => {
      await visit({ asksLibraries: true }) // warms the browser up
      const times = Object.fromEntries(contestants.map((name) => [name, [] as number[]])) as Record<
        Contestant,
        number[]
      >
      for (let round = 0; round < rounds; round++) {
        for (const name of round % 2 === 0 ? contestants : contestants.toReversed()) {
          const { tookMs } = await visit(name === 'ours' ? { asksLibraries: false } : { alone: name })
          times[name].push(tookMs)
        }
      }
      const medians = contestants.map((name) => [name, Math.round(median(times[name]))])
      return Object.fromEntries(medians) as Record<Contestant, number>
    },
  )
}

/** Size of a script with nothing else, minified and gzipped; ours includes sign-in. */
export async function gzipBytesOfAll(): Promise<Record<Contestant, number>> {
  const { gzipBytes } = await buildBrowserSdk()
  const others = libraryNames.map(async (name) => [name, await gzipBytesOf(name)] as const)
  return { ours: gzipBytes, ...Object.fromEntries(await Promise.all(others)) } as Record<Contestant, number>
}
