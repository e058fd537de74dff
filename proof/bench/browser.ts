// What does the browser SDK cost a page? Bytes, collection time, and the longest pause of the page.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { buildBrowserSdk, bundleForBrowsers, largestGzipBytes } from '../../scripts/build-browser-sdk.ts'
import { type Bench, row, type Table } from './harness/harness.ts'

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
        row('script for a tag, gzipped', 'bytes', [gzipBytes], { atMost: largestGzipBytes }),
        row('of which the key and its proofs', 'bytes', [await keyGzipBytes()], { atMost: 1024 }),
        ...figures.flatMap(([name, { firstMs, nextMs, pauseMs, idlePauseMs, keyMs, proofMs }]) => [
          row(`${name}, first collection`, 'ms', firstMs),
          row(`${name}, next collection`, 'ms', nextMs, { atMost: 100 }),
          row(`${name}, longest pause`, 'ms', pauseMs, { atMost: 50 }),
          row(`${name}, longest pause of an idle page`, 'ms', idlePauseMs),
          row(`${name}, first proof, with a new key`, 'ms', keyMs),
          row(`${name}, next proof`, 'ms', proofMs, { atMost: 5 }),
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
