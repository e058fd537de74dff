// `npm run pictures`: takes the screenshots of the README, in light and dark, of a service that `npm start` would run, with its demo traffic.

import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { chromiumOptions } from '../browsers.ts'

const program = fileURLToPath(new URL('../../cli/bin/ringfence.js', import.meta.url))
const images = new URL('../../docs/images/', import.meta.url)
const size = { width: 1280, height: 860 }
/** In per cent. Text stays sharp, and a picture is about 50 kB. */
const quality = 88
const mostBytes = 150_000

const folder = await mkdtemp(join(tmpdir(), 'ringfence-pictures-'))
const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } }
const service = spawn(process.execPath, [program, 'serve', '--sandbox', '--port', '0'], {
  ...options,
  stdio: ['ignore', 'pipe', 'inherit'],
})
let browser: Browser | undefined
try {
  const url = await addressOf(service.stdout)
  let key = await ownerKey('sandbox')
  // biome-ignore lint/suspicious/noExplicitAny: answers of several endpoints
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { ...key, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  for (let state = ''; state !== 'made'; await wait(1000)) {
    const demo = await ask('GET', '/admin/v1/demo')
    state = demo.state
    process.stderr.write(`\rdemo traffic: ${Math.round(100 * demo.progress)} %${state === 'made' ? '\n' : ''}`)
  }
  key = await ownerKey('demo')
  const { decisionId, deviceId } = await swapped(ask)
  browser = await chromium.launch(await chromiumOptions())
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1.5, colorScheme })
    // A client key with a role reads the same as its person would.
    await context.setExtraHTTPHeaders(key)
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const pictures = { decision: `decisions/${decisionId}`, rules: 'rules', device: `devices/${deviceId}` }
    for (const [name, path] of Object.entries(pictures)) {
      await page.goto(`${url}/console/${path}`, { waitUntil: 'networkidle' })
      await wait(500)
      const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality })
      const bytes = Buffer.from(data, 'base64')
      if (bytes.length > mostBytes)
        throw new Error(`the picture of ${name} has ${bytes.length} bytes: lower its quality`)
      await writeFile(new URL(`console-${name}-${colorScheme}.webp`, images), bytes)
      console.log(`docs/images/console-${name}-${colorScheme}.webp: ${bytes.length} bytes`)
    }
    await context.close()
  }
} finally {
  await browser?.close()
  service.kill()
  await rm(folder, { recursive: true, force: true })
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    const url = /^Ringfence listens at (\S+)/.exec(line)?.[1]
    if (url) {
      output.resume()
      return url.replace('127.0.0.1', 'localhost')
    }
  }
  throw new Error('the service did not start')
}

async function ownerKey(tenant: string): Promise<{ clientId: string; clientSecret: string }> {
  const words = ['clients', 'create', '--tenant', tenant, '--name', 'pictures', '--scope', 'admin', '--role', 'owner']
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, '--json'], options)
  const { clientId, clientSecret } = JSON.parse(stdout)
  return { clientId, clientSecret }
}

/** The newest decision on a swapped SIM, and a device that visited often. */
async function swapped(ask: (method: string, path: string, body?: object) => Promise<Events>) {
  const visits = new Map<string, number>()
  let decisionId: string | undefined
  let cursor: string | undefined
  do {
    const found = await ask('POST', '/admin/v1/events/search', {
      ...{ types: ['decision.created'], limit: 100 },
      ...(cursor !== undefined && { cursor }),
    })
    for (const { data } of found.events) {
      if (data.reasons.includes('SIM_SWAPPED') && data.reasons.length > 2) decisionId ??= data.decisionId
      if (data.deviceId) visits.set(data.deviceId, (visits.get(data.deviceId) ?? 0) + 1)
    }
    cursor = found.nextCursor
  } while (cursor !== undefined)
  const [deviceId] = [...visits].toSorted(([, a], [, b]) => b - a)[0] ?? []
  if (!decisionId || !deviceId) throw new Error('the demo has no decision on a swapped SIM, or no device')
  return { decisionId, deviceId }
}

interface Events {
  readonly events: readonly { readonly data: { decisionId: string; reasons: string[]; deviceId?: string } }[]
  readonly nextCursor?: string
}
