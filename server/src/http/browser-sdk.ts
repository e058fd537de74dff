// Where do web pages load the browser SDK from? A URL for a script tag, one that never changes, and a description of both.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from './page.ts'

export interface BrowserSdk {
  /** The script; its content changes with each release. */
  readonly newest: Page
  /** The same script under `path`, which contains its hash: its content never changes. */
  readonly unchanging: Page & { readonly path: string }
  /** JSON: version, file, hash for Subresource Integrity, size. */
  readonly description: Page
}

const builtFolder = fileURLToPath(new URL('../../../browser/dist/', import.meta.url))

/** Web pages of every origin may load the script, and check its hash. */
const forEveryOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** @throws Error when the browser SDK has not been built */
export function openBrowserSdk(): BrowserSdk {
  const body = read('browser.js')
  const gzipped = gzipSync(body, { level: 9 })
  const description = read('browser.json')
  const { file, integrity } = JSON.parse(description.toString()) as { file: string; integrity: string }
  const script = (cacheControl: string): Page => ({
    type: 'text/javascript; charset=utf-8',
    body,
    gzipped,
    headers: { ...forEveryOrigin, 'cache-control': cacheControl, etag: `"${integrity}"` },
  })
  return {
    newest: script('public, max-age=300, must-revalidate'),
    unchanging: { ...script('public, max-age=31536000, immutable'), path: `/sdk/${file}` },
    description: { type: 'application/json; charset=utf-8', body: description, headers: forEveryOrigin },
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(builtFolder + file)
  } catch (cause) {
    throw new Error(`browser/dist/${file} has not been built: run node scripts/prepare.ts`, { cause })
  }
}
