// Does the console claim only what follows? Lists that no rule reads, deliveries, waiting events, another's shadow.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, answering, sample, signedIn } from './testing/answered-calls.ts'
import { click, shows, until } from './testing/in-the-page.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
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
  readList: { entries: [{ value: 'u-1', addedAt: at, by: 'Maya' }] },
  addListEntries: { added: 1, changed: 0, unchanged: 0 },
  readDecision: sample<AnswerOf<'readDecision'>>('investigated-decision.swapped-sim-new-device'),
  listRuleVersions: {
    versions: [
      { version: 6, rules: 1, stages: ['draft'], createdAt: at },
      { version: 5, rules: 1, stages: ['shadow'], createdAt: at },
      { version: 4, rules: 1, stages: ['live'], createdAt: at },
    ],
  },
  startRuleShadow: { version: 6 } as never,
} satisfies Answers

let url: string
const ends: (() => Promise<unknown>)[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  // The clock of the service stands still, so the files of all pages count for one burst.
  const settings = { publicRatePerSecond: 10_000 }
  url = (await startTestService(t as never, await sqliteDatabases.open(t as never), { settings })).url
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers = usual): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.goto(`${url}/console${path}`)
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

const pathsSent = (page: TestPage) =>
  page.evaluate(() => (globalThis as unknown as { calls: { path: string }[] }).calls.map(({ path }) => path), undefined)

inEachBrowser((test) => {
  test('a block list that no rule reads is amber, and the others name their rules', async (t, browser) => {
    const page = await open(t, browser, '/lists')
    await shows(page, 'Known mules')
    assert.deepEqual(await badges(page, 'Block'), ['badge amber', 'badge red'])
    assert.deepEqual(await badges(page, 'No rule'), ['badge amber'])
    assert.deepEqual(await badges(page, 'Allow'), ['badge green'], 'an allow list is an exception in other rules')
    await page.goto(`${url}/console/lists/thieves`)
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
    await shows(page, 'Mend your server')
    await click(page, 'button', 'Show deliveries')
    await shows(page, 'Timed out')
    assert.deepEqual(await badges(page, 'Accepted'), ['badge green'])
    assert.deepEqual(await badges(page, 'Timed out'), ['badge red'])
  })

  test('a shadow says first whose shadow it ends', async (t, browser) => {
    const answers = { ...usual, readRules: { ...usual.readRules, version: 6 } }
    const page = await open(t, browser, '/rules?version=6', answers)
    await click(page, '.page-actions button', 'Run in shadow')
    await shows(page, 'The shadow of version 5 ends, also if somebody else started it.')
    assert.ok(!(await pathsSent(page)).some((path) => path.endsWith('/shadow')))
    await click(page, '.dialog footer button', 'Replace it')
    const isSent = async () => (await pathsSent(page)).some((path) => path.endsWith('/shadow'))
    await until(isSent, 'it was not sent')
  })
})
