// Where do pages load the browser SDK from? The script of a tag, its twin that never changes, and what both weigh and hash to.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Page, type PageRow, page } from './surface.ts'

const built = fileURLToPath(new URL('../../../browser/dist/', import.meta.url))

function read(file: string): Buffer {
  try {
    return readFileSync(built + file)
  } catch (cause) {
    throw new Error(`browser/dist/${file} has not been built: run node scripts/prepare.ts`, { cause })
  }
}

const script = read('browser.js')
const gzipped = gzipSync(script, { level: 9 })
const description = read('browser.json')
const { file, integrity } = JSON.parse(description.toString()) as { file: string; integrity: string }

/** Pages of every origin may load it, and compare it with its hash (Subresource Integrity). */
const forEveryPage = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

const asScript = (cacheControl: string): Page => ({
  type: 'text/javascript; charset=utf-8',
  body: script,
  gzipped,
  headers: { ...forEveryPage, 'cache-control': cacheControl, etag: `"${integrity}"` },
})

const newest = asScript('public, max-age=300, must-revalidate')
const unchanging = asScript('public, max-age=31536000, immutable')
const told: Page = { type: 'application/json; charset=utf-8', body: description, headers: forEveryPage }

export const browserSdkPages: readonly PageRow[] = [
  page('/sdk/browser.js', 'anyone', () => newest),
  page(`/sdk/${file}`, 'anyone', () => unchanging),
  page('/sdk/browser.json', 'anyone', () => told),
]
