// What does the console cost a browser? Bytes and first paint of a first visit, frames of Live while decisions arrive, CPU of idle pages.

import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { type Browser, chromium, type Page } from 'playwright-core'
import { firstVisit, signedInContext } from '../../../console/src/testing/first-visit.ts'
import { chromiumOptions } from '../../../scripts/browsers.ts'
import { type Row, rounds, row, type Table } from '../harness/harness.ts'

export interface Visited {
  /** `http://127.0.0.1:8080` */
  readonly url: string
  /** Of an owner. */
  readonly sessionToken: string
  /** Of a backend. */
  readonly credentials: Readonly<Record<string, string>>
  readonly decisionId: string
}

const perSecond = 200
const liveMs = 20_000
const idleMs = 30_000
/** A page has drawn what it read. */
const settledMs = 3_000

/** Of the page, where the benchmark's functions run. */
declare const performance: { now(): number; getEntriesByName(name: string): { startTime: number }[] }
declare const requestAnimationFrame: (work: () => void) => void
declare const document: { querySelectorAll(selector: string): { length: number } }

export async function measureInBrowser(visited: Visited): Promise<Table> {
  const browser = await chromium.launch(await chromiumOptions())
  try {
    const first = await firstVisits(browser, visited)
    const live = await framesOfLive(browser, visited)
    const idle = await idlePages(browser, visited)
    return {
      title: 'Console in Chromium',
      rows: [...first, ...live, ...idle],
      notes: [
        `Headless, on the cores of the service; the load of the machine was ${loadavg()[0]!.toFixed(1)}. A frame is late more than 50 ms after the one before. Idle: CPU time of the page's main thread.`,
      ],
    }
  } finally {
    await browser.close()
  }
}

/** Browsers treat http://localhost as secure, so that the cookie of a session is sent. */
const addressOf = ({ url }: Visited, path: string) =>
  `${url.replace('127.0.0.1', 'localhost')}/console${path === '/' ? '' : path}`

async function firstVisits(browser: Browser, visited: Visited): Promise<Row[]> {
  const visitor = { ...visited, url: visited.url.replace('127.0.0.1', 'localhost') }
  const paintMs: number[] = []
  const rows: Row[] = []
  for (const [name, view] of Object.entries({ overview: '/', rules: '/rules', 'review queue': '/reviews' })) {
    const kib: number[] = []
    for (let round = 0; round < rounds; round++) {
      const visit = await firstVisit(browser, visitor, view)
      kib.push(visit.bytes / 1024)
      if (view === '/') paintMs.push(visit.paintMs)
    }
    rows.push(row(`first visit of the ${name}, everything that is loaded`, 'KiB', kib, { atMost: 250 }))
  }
  return [...rows, row('first contentful paint', 'ms', paintMs, { atMost: 1000 })]
}

async function framesOfLive(browser: Browser, visited: Visited): Promise<Row[]> {
  const context = await signedInContext(browser, visited)
  const page = await context.newPage()
  await page.goto(addressOf(visited, '/live'))
  await page.getByText('Watching').waitFor()
  await wait(settledMs)
  const still = await framesDuring(page, liveMs / 4)
  const [frames, sent] = await Promise.all([framesDuring(page, liveMs), decide(visited)])
  const rows = await page.evaluate(() => document.querySelectorAll('.events-row').length)
  await context.close()
  const share = (gaps: readonly number[]) => (100 * gaps.filter((gap) => gap > 50).length) / gaps.length
  return [
    row('Live: decisions that were made', 'per second', [(1000 * sent) / liveMs]),
    row('Live: frames that were late', '%', [share(frames)], { atMost: 1 }),
    row('Live: … before decisions arrived', '%', [share(still)]),
    row('Live: longest time between two frames', 'ms', [Math.max(...frames)]),
    row('Live: rows that exist in the page', 'rows', [rows], { atMost: 60 }),
  ]
}

/** Milliseconds between frames. */
const framesDuring = (page: Page, ms: number): Promise<number[]> =>
  page.evaluate(
    (during) =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = []
        const startedAt = performance.now()
        let before = startedAt
        const frame = () => {
          const now = performance.now()
          gaps.push(now - before)
          before = now
          if (now - startedAt < during) requestAnimationFrame(frame)
          else resolve(gaps)
        }
        requestAnimationFrame(frame)
      }),
    ms,
  )

/** @returns how many decisions were made, at most `perSecond` */
async function decide({ url, credentials }: Visited): Promise<number> {
  const startedAt = Date.now()
  const pending = new Set<Promise<unknown>>()
  let sent = 0
  for (let elapsed = 0; elapsed < liveMs; elapsed = Date.now() - startedAt) {
    for (const due = (elapsed / 1000) * perSecond; sent < due && pending.size < 100; sent++) {
      const body = JSON.stringify({ action: 'LOGIN', userId: `live-${sent % 500}` })
      const request = fetch(url + endpoints.decide.path, {
        ...{ method: 'POST', body },
        headers: { 'content-type': 'application/json', ...credentials },
      }).then(async (answer) => {
        if (!answer.ok) throw new Error(`a decision is answered ${answer.status}: ${await answer.text()}`)
        await answer.arrayBuffer()
      })
      pending.add(request)
      void request.finally(() => pending.delete(request)).catch(() => undefined)
    }
    await wait(5)
  }
  await Promise.all(pending)
  return sent
}

async function idlePages(browser: Browser, visited: Visited): Promise<Row[]> {
  const paths = {
    overview: '/',
    'Live, paused': '/live',
    search: '/search',
    decision: `/decisions/${visited.decisionId}`,
  }
  const opened = await Promise.all(
    Object.entries(paths).map(async ([name, path]) => {
      const context = await signedInContext(browser, visited)
      const page = await context.newPage()
      const metrics = await context.newCDPSession(page)
      await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })
      await page.goto(addressOf(visited, path), { waitUntil: 'load' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await wait(settledMs)
      if (path === '/live') await page.keyboard.press('p')
      const busySeconds = async () => {
        const { metrics: values } = await metrics.send('Performance.getMetrics')
        return values.find((each) => each.name === 'TaskDuration')!.value
      }
      return { name, context, busySeconds }
    }),
  )
  await wait(settledMs)
  const before = await Promise.all(opened.map(({ busySeconds }) => busySeconds()))
  await wait(idleMs)
  const after = await Promise.all(opened.map(({ busySeconds }) => busySeconds()))
  for (const { context } of opened) await context.close()
  return opened.map(({ name }, i) =>
    row(`idle ${name}`, '% of a core', [(100_000 * (after[i]! - before[i]!)) / idleMs], { atMost: 1 }),
  )
}
