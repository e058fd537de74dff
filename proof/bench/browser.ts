// What does the browser SDK cost a page? Bytes, collection time beside FingerprintJS, and the longest pause of the page.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildBrowserSdk, bundleForBrowsers, largestGzipBytes } from '../../scripts/build-browser-sdk.ts'
import { libraries } from '../scenarios/libraries.ts'
import { advice, lacking, screenProgram } from '../scenarios/machine.ts'
import { type BrowserName, programs } from '../scenarios/people.ts'
import { openPlay, type Play } from '../scenarios/play.ts'
import { whyNotSlow } from '../scenarios/slow-machine.ts'
import { lateFactsIn, roundsIn } from '../scenarios/timing.ts'
import { answer, type Bench, type Row, row, type Table } from './harness/harness.ts'

/** `npm run bench -- browser`; needs Chromium, Firefox and Xvfb. */
export const browser: Bench = { name: 'browser', run }

const measuring = fileURLToPath(new URL('../../browser/src/testing/measure-collection.ts', import.meta.url))

type Figures = Record<'firstMs' | 'nextMs' | 'pauseMs' | 'idlePauseMs' | 'keyMs' | 'proofMs', number[]>

async function run(): Promise<Table[]> {
  const { gzipBytes } = await buildBrowserSdk()
  const { stdout } = await promisify(execFile)(process.execPath, [measuring])
  const figures = Object.entries(JSON.parse(stdout) as Record<string, Figures>)
  const lacked = lacking([programs.chromium, programs.firefox, screenProgram])
  if (lacked.length > 0) throw new Error(advice(lacked))
  await using ending = new AsyncDisposableStack()
  const play = await openPlay({ asksLibraries: true })
  ending.defer(() => play.close())
  return [
    {
      title: 'Browser SDK',
      notes: [
        'All facts, in headless browsers on the same cores. First: in a new page. Next: again in it. A pause is the longest time in which the page could not run.',
      ],
      rows: [
        row('script for a tag, gzipped', 'bytes', [gzipBytes], { atMost: largestGzipBytes }),
        row('of which the key and its proofs', 'bytes', [await keyGzipBytes()], { atMost: 1024 }),
        ...figures.flatMap(([name, { firstMs, nextMs, pauseMs, idlePauseMs, keyMs, proofMs }]) => [
          answer(`${name}, first collection`, 'ms', firstMs),
          row(`${name}, next collection`, 'ms', nextMs, { atMost: 100 }),
          row(`${name}, longest pause`, 'ms', pauseMs, { atMost: 50 }),
          row(`${name}, longest pause of an idle page`, 'ms', idlePauseMs),
          row(`${name}, first proof, with a new key`, 'ms', keyMs),
          row(`${name}, next proof`, 'ms', proofMs, { atMost: 5 }),
        ]),
      ],
    },
    await besideALibrary(play),
    await onASlowMachine(play),
  ]
}

const names = { Chromium: 'chromium', Firefox: 'firefox' } as const satisfies Record<string, BrowserName>

async function besideALibrary(play: Play): Promise<Table> {
  const rows: Row[] = []
  for (const [title, browser] of Object.entries(names)) {
    const { ours, fingerprintjs } = await roundsIn(browser, play, ['ours', 'fingerprintjs'])
    rows.push(
      row(`${title}, ours`, 'ms', ours),
      row(`${title}, ${libraries.fingerprintjs.title}`, 'ms', fingerprintjs),
      row(`${title}, ours by ${libraries.fingerprintjs.title}`, '×', ratios(ours, fingerprintjs), { atMost: 1.5 }),
    )
  }
  const notes = ['Each alone in a page of a warm browser. Ours ends when the signed facts are sent.']
  return { title: 'Collection beside a library', notes, rows }
}

const ratios = (ours: readonly number[], theirs: readonly number[]) => ours.map((ms, round) => ms / theirs[round]!)

const slowLoads = 5

/** Which facts the SDK leaves out there, with its default limits. */
async function onASlowMachine(play: Play): Promise<Table> {
  const title = 'Facts that time out on a slow machine'
  const reason = whyNotSlow()
  if (reason) return { title, notes: [`Not measured: ${reason}.`], rows: [] }
  const rows: Row[] = []
  const notes = ['The first page of a browser that has a tenth of the processor.']
  for (const [browser, name] of Object.entries(names)) {
    const late = await lateFactsIn(name, play, slowLoads)
    rows.push(
      answer(
        `${browser}, facts in a load`,
        'facts',
        late.map(({ length }) => length),
      ),
    )
    const counts = Map.groupBy(late.flat(), (fact) => fact)
    const often = [...counts].toSorted(([, some], [, others]) => others.length - some.length)
    rows.push(...often.map(([fact, { length }]) => row(`… ${fact}`, `of ${slowLoads} loads`, [length])))
  }
  return { title, notes, rows }
}

/** Of a bundle with nothing else; in the script it is less. */
async function keyGzipBytes(): Promise<number> {
  const source = fileURLToPath(new URL('../../browser/src/installation-key.ts', import.meta.url))
  const text = await bundleForBrowsers({ entryPoints: [source], format: 'esm' })
  return gzipSync(text, { level: 9 }).length
}
