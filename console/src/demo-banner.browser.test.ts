import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser } from '../../browser/src/testing/browser-tests.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, allPermissions, answering, signedIn } from './testing/answered-calls.ts'
import { press, shows } from './testing/in-the-page.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  readonly body: { readonly innerText: string }
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>
}
declare const calls: readonly { readonly path: string; readonly method: string; readonly body?: { from?: string } }[]

const made: AnswerOf<'readDemo'> = { state: 'made', progress: 1, people: 146, sessions: 793, decisions: 1143 }

/** From the removal on, the service says that there is no demo any more. */
const removable = `
  const answered = globalThis.fetch
  let isRemoved = false
  globalThis.fetch = async (url, init) => {
    const answer = await answered(url, init)
    const { pathname } = new URL(url, location.href)
    isRemoved ||= pathname === '/admin/v1/demo/remove'
    return isRemoved && pathname.startsWith('/admin/v1/demo') ? Response.json(${JSON.stringify({ ...made, state: 'removed' })}) : answer
  }`

let url: string
const ends: (() => Promise<unknown>)[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  const settings = { publicRatePerSecond: 10_000 }
  url = (await startTestService(t as never, await sqliteDatabases.open(t as never), { settings })).url
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

inEachBrowser((test) => {
  test('a line above every page says that the traffic is made up, until one button removes it', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`${answering({ me: signedIn(), readDemo: made, removeDemo: made })};${removable}`)
    for (const path of ['account', 'privacy']) {
      await page.goto(`${url}/console/${path}`)
      await shows(page, '1,143 decisions about 146 made-up people')
    }
    const removals = () =>
      page.evaluate(() => calls.filter(({ path }) => path === '/admin/v1/demo/remove').length, undefined)
    await press(page, 'Remove demo data')
    await shows(page, 'Remove the demo data?')
    assert.equal(await removals(), 0)
    await press(page, 'Remove demo data')
    const isShown = () => page.evaluate(() => document.body.innerText.includes('made-up people'), undefined)
    for (let tries = 0; (await isShown()) && tries < 200; tries++) await new Promise((next) => setTimeout(next, 50))
    assert.equal(await isShown(), false)
    assert.equal(await removals(), 1)
  })

  test('the first steps are not done by the demo: only what is younger than the first start ticks them', async (t, browser) => {
    const page = await browser.open(t)
    const until = '2026-11-23T09:00:00.000Z'
    const client = { clientId: 'c-1', name: 'sandbox', liveSecrets: 1, createdAt: '2026-11-23T08:59:59.000Z' }
    const answers: Answers = {
      me: signedIn(),
      readDemo: { ...made, until },
      listClients: {
        clients: [
          { ...client, lastUsedAt: '2026-11-22T20:00:00.000Z' },
          { ...client, clientId: 'c-2', name: 'reports', role: 'viewer', lastUsedAt: '2026-11-23T10:00:00.000Z' },
        ],
      },
      listApps: { apps: [] },
      searchEvents: { events: [] },
    }
    await page.prepare(answering(answers))
    await page.goto(`${url}/console/start`)
    for (const text of ['The first start made it', 'Waiting. It appears here automatically']) await shows(page, text)
    const done = await page.evaluate(
      () => [...document.querySelectorAll('.step.done h2')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.deepEqual(done, ['Make a client key'])
    const searches = await page.evaluate(
      () => calls.filter(({ path }) => path === '/admin/v1/events/search').map(({ body }) => body?.from),
      undefined,
    )
    assert.deepEqual([...new Set(searches)], [until])
  })

  test('who may not remove the demo has no button, and sees how far it is', async (t, browser) => {
    const page = await browser.open(t)
    const me = signedIn(allPermissions.filter((name) => name !== 'demo.remove'))
    const readDemo: AnswerOf<'readDemo'> = { ...made, state: 'making', progress: 0.4, decisions: 400 }
    await page.prepare(answering({ me, readDemo }))
    await page.goto(`${url}/console/account`)
    await shows(page, 'A month of it is being made: 400 decisions so far.')
    const buttons = await page.evaluate(
      () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.ok(!buttons.includes('Remove demo data'))
  })
})
