// Where do web pages load the browser SDK from? A URL for a script tag, one that never changes, and a description of both.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from '../../core/pages/page.ts'

export interface BrowserSdk {
  /** The script; its content changes with each release. */
  readonly newest: Page
  /** The same script under `path`, which contains its hash: its content never changes. */
  readonly unchanging: Page & { readonly path: string }
  /** The adapter for pages of the headless SDK, with the SDK in it. Read at the first request. */
  readonly headless: Page
  /** JSON: version, file, hash for Subresource Integrity, size. */
  readonly description: Page
}

const builtFolder = fileURLToPath(new URL('../../../../browser/dist/', import.meta.url))

/** Web pages of every origin may load the script, and check its hash. */
const forEveryOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** @throws Error when the browser SDK has not been built */
export function openBrowserSdk(): BrowserSdk {
  const description = read('browser.json')
  const { file, integrity } = JSON.parse(description.toString()) as { file: string; integrity: string }
  let headless: Page | undefined
  const newest = script('browser.js', integrity)
  const headers = { ...newest.headers, 'cache-control': 'public, max-age=31536000, immutable' }
  return {
    newest,
    unchanging: { ...newest, headers, path: `/sdk/${file}` },
    get headless() {
      headless ??= script('headless.js')
      return headless
    },
    description: { type: 'application/json; charset=utf-8', body: description, headers: forEveryOrigin },
  }
}

/** A script that browsers refresh after minutes. Its entity tag is its hash for Subresource Integrity. */
function script(file: string, integrity?: string): Page {
  const body = read(file)
  const etag = `"${integrity ?? `sha384-${createHash('sha384').update(body).digest('base64')}`}"`
  return {
    type: 'text/javascript; charset=utf-8',
    body,
    gzipped: gzipSync(body, { level: 9 }),
    headers: { ...forEveryOrigin, 'cache-control': 'public, max-age=300, must-revalidate', etag },
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(builtFolder + file)
  } catch (cause) {
    throw new Error(`browser/dist/${file} has not been built: run node scripts/prepare.ts`, { cause })
  }
}
