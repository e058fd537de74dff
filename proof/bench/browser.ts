// What does the browser SDK cost a page? Bytes, collection time, and the longest pause of the page.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildBrowserSdk, bundleForBrowsers, largestGzipBytes } from '../../scripts/build-browser-sdk.ts'
import type { Bench, Table } from './harness/harness.ts'

/** `npm run bench -- browser`; needs Chromium and Firefox. */
export const browser: Bench = { name: 'browser', run }

const measuring = fileURLToPath(new URL('../../browser/src/testing/measure-collection.ts', import.meta.url))

type Figures = Record<'firstMs' | 'nextMs' | 'pauseMs' | 'idlePauseMs' | 'keyMs' | 'proofMs', number[]>

async function run(): Promise<Table[]> {
  const { gzipBytes } = await buildBrowserSdk()
  const { stdout } = await promisify(execFile)(process.execPath, [measuring])
  const figures = Object.entries(JSON.parse(stdout) as Record<string, Figures>)
  return [
    {
      title: 'Browser SDK',
      notes: [
        'All facts, and proofs of a body that contains them, in headless browsers that share the cores with this program. First: in a new page. Next: again in the same page. A pause is the longest time in which the page could not run; no task of the collector is longer. The pause of an idle page shows what the machine adds.',
      ],
      rows: [
        { what: 'script for a tag, gzipped', unit: 'bytes', values: [gzipBytes], goal: { atMost: largestGzipBytes } },
        {
          what: 'of which the key and its proofs',
          unit: 'bytes',
          values: [await keyGzipBytes()],
          goal: { atMost: 1024 },
        },
        ...figures.flatMap(([name, { firstMs, nextMs, pauseMs, idlePauseMs, keyMs, proofMs }]) => [
          { what: `${name}, first collection`, unit: 'ms', values: firstMs },
          { what: `${name}, next collection`, unit: 'ms', values: nextMs, goal: { atMost: 100 } },
          { what: `${name}, longest pause`, unit: 'ms', values: pauseMs, goal: { atMost: 50 } },
          { what: `${name}, longest pause of an idle page`, unit: 'ms', values: idlePauseMs },
          { what: `${name}, first proof, with a new key`, unit: 'ms', values: keyMs },
          { what: `${name}, next proof`, unit: 'ms', values: proofMs, goal: { atMost: 5 } },
        ]),
      ],
    },
  ]
}

/** Of a bundle with nothing else; in the script it is less. */
async function keyGzipBytes(): Promise<number> {
  const source = fileURLToPath(new URL('../../browser/src/installation-key.ts', import.meta.url))
  const text = await bundleForBrowsers({ entryPoints: [source], format: 'esm' })
  return gzipSync(text, { level: 9 }).length
}
