// Does the console claim only what follows? Lists that no rule reads, deliveries, waiting events, another's shadow.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import { holding } from '../../browser/src/testing/held-timers.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, answering, sample, signedIn } from './testing/answered-calls.ts'
import { click, type as fill, shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

// Of the page; the folder of this file has no DOM types.
declare const KeyboardEvent: new (type: string, options: object) => object
declare const document: {
  readonly activeElement: { blur(): void } | null
  readonly body: { dispatchEvent(event: object): boolean }
  querySelector(selector: string): { readonly value: string } | null
  querySelectorAll(selector: string): Iterable<{ readonly className: string; readonly textContent: string }>
}

const at = '2026-11-20T10:00:00.000Z'
const ofList = { kind: 'userId', entries: 1, createdAt: at, createdBy: 'Maya', changedAt: at } as const
const block = { ...ofList, name: 'thieves', purpose: 'block' } as const
const ofRule = { id: 'mules', name: 'Known mules', action: 'BLOCK', score: 50 } as const

const usual = {
  me: signedIn(),
  describeLists: { lists: [block, { ...block, name: 'mules' }, { ...block, name: 'vips', purpose: 'allow' }] },
  readRules: { version: 4, rules: [{ ...ofRule, when: 'inList("mules", userId)' }] },
  readRuleNames: { names: { mules: 'Known mules' } },
  readList: { entries: [{ value: 'u-1', addedAt: at, by: 'Maya' }] },
  addListEntries: { added: 1, changed: 0, unchanged: 0 },
  readDecision: sample<AnswerOf<'readDecision'>>('investigated-decision.swapped-sim-new-device'),
  listRuleVersions: {
    versions: [
      { version: 6, rules: 1, stages: ['draft'], createdAt: at },
      { version: 5, rules: 1, stages: ['shadow'], createdAt: at },
      { version: 4, rules: 1, stages: ['live'], createdAt: at },
    ],
    shadow: { version: 5, startedBy: 'Ravi', startedAt: at },
  },
  startRuleShadow: { version: 6 } as never,
} satisfies Answers

const { session, ...me } = signedIn()
const signedInAgain = { ...me, session: { ...session!, sessionId: 's-2' } }

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers = usual): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.goto(`${service().url}/console${path}`)
  return page
}

const badges = (page: TestPage, text: string) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll('.badge')]
        .filter(({ textContent }) => textContent === wanted)
        .map(({ className }) => className),
    text,
  )

const isThere = (page: TestPage, selector: string) =>
  page.evaluate((wanted) => document.querySelector(wanted) !== null, selector)

const pathsSent = (page: TestPage) =>
  page.evaluate(() => (globalThis as unknown as { calls: { path: string }[] }).calls.map(({ path }) => path), undefined)

inEachBrowser((test) => {
  test('a block list that no rule reads is amber, and the others name their rules', async (t, browser) => {
    const page = await open(t, browser, '/lists')
    await shows(page, 'Known mules')
    assert.deepEqual(await badges(page, 'Block'), ['badge amber', 'badge red'])
    assert.deepEqual(await badges(page, 'No rule'), ['badge amber'])
    assert.deepEqual(await badges(page, 'Allow'), ['badge green'], 'an allow list is an exception in other rules')
    await page.goto(`${service().url}/console/lists/thieves`)
    await shows(page, 'No live rule reads this list, so it blocks nothing.')
    await shows(page, 'Make the rule')
  })

  test('a value that was added to a list is found only where a rule reads the list', async (t, browser) => {
    const { decisionId } = usual.readDecision
    const add = async (name: string, answers: Answers) => {
      const page = await open(t, browser, `/decisions/${decisionId}`, answers)
      await click(page, '.page-actions button', 'Add to a list')
      await click(page, '.dialog footer button', 'Add')
      await shows(page, `Added to ${name}`)
      return page
    }
    const idle = await add('thieves', { ...usual, describeLists: { lists: [block] } })
    await shows(idle, 'No live rule reads this list, so it blocks nothing.')
    const read = await add('mules', { ...usual, describeLists: { lists: [{ ...block, name: 'mules' }] } })
    await shows(read, 'Known mules: found within a second.')
  })

  test('figures name rules, a rate needs labels, and old data is one line', async (t, browser) => {
    const figures = { decisions: { ALLOW: 9, BLOCK: 1 }, labels: { fraud: 1 }, badStopped: 1, goodStopped: 0 }
    const nothing = { ...figures, decisions: {}, labels: {}, badStopped: 0 }
    const others = { challengesPassed: 0, challengesFailed: 0, challengesExpired: 0, reviewed: 0, approved: 0 }
    const ofRule = { fired: 3, firedBefore: 0, decided: 3, bad: 1, good: 0, overturned: 0 }
    const old = { kind: 'data-old', since: at } as const
    const answers: Answers = {
      ...usual,
      readOverview: {
        ...sample<AnswerOf<'readOverview'>>('overview.ordinary'),
        rules: [{ name: 'mules', count: 3 }],
        attention: ['places', 'plans', 'domains'].map((name) => ({ ...old, name })),
      },
      readPerformance: {
        ...{ from: at, to: at, before: at, stepSeconds: 86_400, steps: [], checks: [], upstreams: [] },
        current: { ...figures, ...others, amounts: [] },
        previous: { ...nothing, ...others, amounts: [] },
        rules: [{ rule: 'mules', ...ofRule }],
        ...{ operations: [], apps: [], countries: [] },
      },
    }
    const overview = await open(t, browser, '', answers)
    await shows(overview, 'Known mules')
    assert.deepEqual(await badges(overview, '3'), ['badge amber'])
    const performance = await open(t, browser, '/performance', answers)
    await shows(performance, 'Known mules')
    await shows(performance, '1 of 1 labelled')
    const shown = await performance.evaluate(
      () => [...document.querySelectorAll('.tiles strong')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.deepEqual(shown.slice(1), ['–', '–', '–', '–'], 'one label is no rate')
  })

  test('a decision names what an incomplete report lacks', async (t, browser) => {
    const facts = ['plugins', 'storage.localStorage']
    const readDecision = { ...usual.readDecision, missing: [{ what: 'device', why: 'incomplete', facts }] } as const
    const page = await open(t, browser, `/decisions/${readDecision.decisionId}`, {
      ...usual,
      readDecision: readDecision as unknown as AnswerOf<'readDecision'>,
    })
    await shows(page, 'Missing: plugins, storage.localStorage.')
  })

  test('what a webhook has accepted is green, and events that wait are said', async (t, browser) => {
    const webhook = { webhookId: 'w', url: 'https://shop.example/h', description: '', types: ['*'], createdAt: at }
    const attempt = { eventId: 'e-1', type: 'decision.blocked', attemptedAt: at, durationMs: 3, answer: '' }
    const page = await open(t, browser, '/webhooks', {
      me: signedIn(),
      listWebhooks: { webhooks: [{ ...webhook, state: 'active', waiting: 2, waitingSince: at }] },
      listWebhookAttempts: {
        attempts: [
          { ...attempt, result: 'accepted', status: 200 },
          { ...attempt, eventId: 'e-2', result: 'timeout' },
        ],
      },
    })
    await shows(page, 'Events wait')
    assert.deepEqual(await badges(page, 'Active'), [])
    await shows(page, 'Fix your server')
    await click(page, 'button', 'Show deliveries')
    await shows(page, 'Timed out')
    assert.deepEqual(await badges(page, 'Accepted'), ['badge green'])
    assert.deepEqual(await badges(page, 'Timed out'), ['badge red'])
  })

  test('a shadow says first whose shadow it ends', async (t, browser) => {
    const answers = { ...usual, readRules: { ...usual.readRules, version: 6 } }
    const page = await browser.open(t)
    await page.prepare(`${answering(answers)}; {
      const answer = fetch
      globalThis.fetch = async (url, init) => {
        if (String(url).endsWith('/admin/v1/rules')) await new Promise((resolve) => (globalThis.answerNow = resolve))
        return answer(url, init)
      }
    }`)
    await page.goto(`${service().url}/console/rules?version=6`)
    await shows(page, 'Version 6')
    assert.equal(await isThere(page, '.page-actions button'), false, 'what runs in shadow is not known yet')
    await page.evaluate(() => (globalThis as unknown as { answerNow(): void }).answerNow(), undefined)
    await click(page, '.page-actions button', 'Run in shadow')
    await shows(page, 'Ravi started the shadow of version 5')
    assert.ok(!(await pathsSent(page)).some((path) => path.endsWith('/shadow')))
    await click(page, '.dialog footer button', 'Replace it')
    const isSent = async () => (await pathsSent(page)).some((path) => path.endsWith('/shadow'))
    await until(isSent, 'it was not sent')
  })

  test('a value is looked up inside a list, as a rule does', async (t, browser) => {
    const found = { value: '203.0.113.0/24', addedAt: at, by: 'Maya', note: 'Proxies' }
    const page = await open(t, browser, '/lists/mules', {
      ...usual,
      lookUpList: { inList: true, entries: [found] },
    })
    await shows(page, 'u-1')
    await fill(page, '.look-up input', '203.0.113.7')
    await click(page, '.look-up button', 'Look up')
    await shows(page, '203.0.113.7 is in the list as 203.0.113.0/24: added by Maya')
  })

  test('a service that does not answer is said before the call is tried again', async (t, browser) => {
    const page = await open(t, browser, '/lists')
    await shows(page, 'Known mules')
    await page.evaluate(() => {
      // Nothing is answered after the first failure, so what is shown is not of a later try.
      let calls = 0
      globalThis.fetch = () => (calls++ === 0 ? Promise.reject(new TypeError('Failed')) : new Promise(() => {}))
    }, undefined)
    await click(page, 'a', 'mules')
    await shows(page, 'The service was not reached')
  })

  test('a call that hangs in a page is said, and Try again reads it', async (t, browser) => {
    const page = await open(t, browser, '/lists')
    await shows(page, 'Known mules')
    await page.evaluate(() => {
      const answer = globalThis.fetch
      globalThis.fetch = (_url, { signal } = {}) =>
        new Promise((_, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason)))
      Object.assign(globalThis, { answerAgain: () => (globalThis.fetch = answer) })
    }, undefined)
    await click(page, 'a', 'mules')
    await shows(page, 'The service has not answered yet')
    await page.evaluate(() => (globalThis as unknown as { answerAgain(): void }).answerAgain(), undefined)
    await click(page, '.late-answer button', 'Try again')
    await shows(page, 'u-1')
    await until(async () => !(await isThere(page, '.late-answer')), 'it is still said')
  })

  test('a change that hangs is said too, and not sent again', async (t, browser) => {
    const page = await open(t, browser, '/lists/mules')
    await shows(page, 'Known mules')
    await fill(page, '.add-entry input', 'u-4711')
    await page.evaluate(() => {
      const answer = globalThis.fetch
      globalThis.fetch = async (url, init) => {
        if (String(url).endsWith('/lists/add'))
          await new Promise((resolve) => Object.assign(globalThis, { answerNow: resolve }))
        return answer(url, init)
      }
    }, undefined)
    await click(page, '.add-entry button', 'Add')
    await shows(page, 'The service has not answered yet; your change may still arrive')
    const offers = () => isThere(page, '.late-answer button')
    assert.equal(await offers(), false)
    await page.evaluate(() => (globalThis as unknown as { answerNow(): void }).answerNow(), undefined)
    await until(async () => !(await isThere(page, '.late-answer')), 'it is still said')
  })

  test('a script that hangs is said, of the first page and of each other', async (t, browser) => {
    const hangs: RegExp[] = []
    const proxy = createServer(async (request, response) => {
      if (hangs.some((each) => each.test(request.url!))) return
      const answer = await fetch(service().url + request.url)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    t.after(() => proxy.closeAllConnections())
    t.after(() => proxy.close())
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/console`
    const page = await browser.open(t)
    await page.prepare(answering(usual))
    hangs.push(/list-page-.*js$/)
    await page.goto(`${url}/lists`)
    await shows(page, 'mules')
    await click(page, 'a', 'mules')
    await shows(page, 'This page has not loaded yet')
    const first = await browser.open(t)
    hangs.push(/index-.*js$/)
    void first.goto(`${url}/lists`).catch(() => {})
    await shows(first, 'This page has not loaded yet')
  })

  test('paints the frame before anything has arrived, and says within two seconds that nothing does', async (t, browser) => {
    const page = await browser.open(t)
    // What the page says within two seconds it says when the test ends them: a busy machine shows it later.
    const hanging = `${holding([1_500, 2_000])} globalThis.fetch = () => new Promise(() => {})`
    await page.prepare(`localStorage.setItem('ringfence-known', '1'); ${hanging}`)
    await page.goto(`${service().url}/console/lists`)
    await until(() => isThere(page, '.shell .sidebar .loading'), 'no frame is painted')
    await shows(page, 'Ringfence')
    assert.equal(await isThere(page, '[role=alert]'), false, 'an answer may still come')
    const end = () =>
      page.evaluate(() => {
        for (const limit of limits) limit.end()
        return limits.length
      }, undefined)
    await until(async () => (await end()) > 0, 'no time is set')
    await shows(page, 'The service has not answered yet')
    const stranger = await browser.open(t)
    await stranger.prepare(`localStorage.clear(); ${hanging}`)
    await stranger.goto(`${service().url}/console/lists`)
    await until(() => isThere(stranger, '.starting'), 'nothing is painted')
    assert.equal(await isThere(stranger, '.shell'), false, 'who was never signed in sees no frame')
  })

  test('Escape closes a dialog whose button has lost the focus', async (t, browser) => {
    const page = await open(t, browser, '/lists')
    await click(page, 'button', 'New list')
    await shows(page, 'Rules use it')
    await page.evaluate(() => {
      document.activeElement?.blur()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    }, undefined)
    await until(async () => !(await isThere(page, '.dialog')), 'it is still open')
  })

  test('who signs in again after the end of a session finds what was typed', async (t, browser) => {
    const page = await open(t, browser, '/lists/mules', { ...usual, signIn: signedInAgain })
    await shows(page, 'Known mules')
    await fill(page, '.add-entry input', 'u-4711')
    await page.evaluate(() => {
      const before = globalThis.fetch
      globalThis.fetch = async (url, init) => {
        if (String(url).endsWith('/sign-in')) globalThis.fetch = before
        else if (String(url).endsWith('/lists/add'))
          return Response.json({ type: '/problems/not-signed-in', title: '', status: 401, detail: '' }, { status: 401 })
        return before(url, init)
      }
    }, undefined)
    await click(page, '.add-entry button', 'Add')
    await shows(page, 'Your session has ended')
    await fill(page, '.session-ended input[type=email]', 'maya@example.com')
    await fill(page, '.session-ended input[type=password]', 'correct horse')
    await click(page, '.session-ended button', 'Sign in')
    await until(async () => !(await isThere(page, '.session-ended')), 'the page did not come back')
    assert.equal(await page.evaluate(() => document.querySelector('.add-entry input')?.value, undefined), 'u-4711')
    await until(async () => !(await isThere(page, '.call-error')), 'the refusal of the session before stays')
    await click(page, '.add-entry button', 'Add')
    await until(async () => (await pathsSent(page)).includes('/v1/lists/add'), 'it was not sent')
  })
})
