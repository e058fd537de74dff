// How long do we and the libraries take, and what does a slow machine leave out? Each alone in a separate page, in turn, in a warm browser.

import { buildBrowserSdk } from '../../scripts/build-browser-sdk.ts'
import { median } from '../quantiles.ts'
import { gzipBytesOf, type LibraryName, libraryNames } from './libraries.ts'
import { type BrowserName, openAsPerson } from './people.ts'
import type { Play } from './play.ts'

export type Contestant = 'ours' | LibraryName
export const contestants: readonly Contestant[] = ['ours', ...libraryNames]

const rounds = 5

/** Milliseconds of each round; for ours until the facts are sent to the service. */
export function roundsIn<Name extends Contestant>(
  browser: BrowserName,
  play: Play,
  contestants: readonly Name[],
): Promise<Record<Name, number[]>> {
  return play.browse(
    (url, stage) => openAsPerson(browser, url, {}, stage),
    {},
    async (visit) => {
      await visit({ asksLibraries: true }) // warms the browser up
      const times = Object.fromEntries(contestants.map((name) => [name, [] as number[]])) as Record<Name, number[]>
      for (let round = 0; round < rounds; round++) {
        for (const name of round % 2 === 0 ? contestants : contestants.toReversed()) {
          const { tookMs } = await visit(name === 'ours' ? { asksLibraries: false } : { alone: name })
          times[name].push(tookMs)
        }
      }
      return times
    },
  )
}

/** Median milliseconds. */
export async function timesIn(browser: BrowserName, play: Play): Promise<Record<Contestant, number>> {
  const medians = Object.entries(await roundsIn(browser, play, contestants)).map(([name, times]) => [
    name,
    Math.round(median(times)),
  ])
  return Object.fromEntries(medians) as Record<Contestant, number>
}

/** The facts that are not ready in time when a browser with a tenth of the machine opens its first page, load by load. */
export async function lateFactsIn(browser: BrowserName, play: Play, loads: number): Promise<string[][]> {
  const late: string[][] = []
  for (let load = 0; load < loads; load++) {
    const { factsMissing } = await play.browse(
      (url, stage) => openAsPerson(browser, url, {}, stage),
      { isSlow: true },
      (visit) => visit(),
    )
    late.push(Object.keys(factsMissing).filter((name) => factsMissing[name] === 'timedOut'))
  }
  return late
}

/** Size of a script with nothing else, minified and gzipped; ours includes sign-in. */
export async function gzipBytesOfAll(): Promise<Record<Contestant, number>> {
  const { gzipBytes } = await buildBrowserSdk()
  const others = libraryNames.map(async (name) => [name, await gzipBytesOf(name)] as const)
  return { ours: gzipBytes, ...Object.fromEntries(await Promise.all(others)) } as Record<Contestant, number>
}
