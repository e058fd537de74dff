// Where does a browser load the console from? One page for every view, and files whose names contain their hash.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '../../core/pages/page.ts'
import { compressedFile } from '../pages/compressed-file.ts'

const builtFolder = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

/**
 * The views of the console have their state in the URL, and the script in the page reads it: every path has the same page. What identifies
 * a person is in the fragment or the query, which no log contains.
 */
export const consolePaths = [
  '/console',
  '/console/',
  '/console/{view}',
  '/console/{view}/{id}',
  '/console/{view}/{id}/{part}',
] as const

export interface Console {
  page(): Page
  /** By path: `/console/assets/NAME-HASH.js`. Their contents never change. */
  readonly assets: ReadonlyMap<string, () => Page>
}

/** Scripts, styles and calls of this service only; nothing inline, no text that becomes a script, no frame around it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY', // for browsers that do not know frame-ancestors
} as const

const assetHeaders = {
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'public, max-age=31536000, immutable',
} as const

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Files are read when they are first asked for: a service that nobody administers need not hold them.
 * @throws Error when the console has not been built
 */
export function openConsole(): Console {
  const { assets } = JSON.parse(list()) as { assets: readonly string[] }
  return {
    page: once(() => {
      const { body, gzipped } = read('index.html')
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
      const headers = { ...pageHeaders, etag }
      return { type: 'text/html; charset=utf-8', body, gzipped, headers }
    }),
    assets: new Map(assets.map((name) => [`/console/assets/${name}`, once(() => asset(name))])),
  }
}

function asset(name: string): Page {
  const type = types[extname(name)]
  if (type === undefined) throw new Error(`console/dist/assets/${name}: files of this kind are not served yet`)
  return { type, ...read(`assets/${name}`), headers: assetHeaders }
}

function once(make: () => Page): () => Page {
  let made: Page | undefined
  return () => {
    made ??= make()
    return made
  }
}

const read = (file: string) => built(file, () => compressedFile(builtFolder + file))
const list = () => built('console.json', () => readFileSync(`${builtFolder}console.json`, 'utf8'))

function built<T>(file: string, reading: () => T): T {
  try {
    return reading()
  } catch (cause) {
    throw new Error(`console/dist/${file} has not been built: run node scripts/prepare.ts`, { cause })
  }
}
