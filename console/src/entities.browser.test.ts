import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { axeSource, seriousFindings } from './testing/accessibility.ts'
import { type Answers, allPermissions, answering, signedIn } from './testing/answered-calls.ts'
import { click, type as fill, shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

// Of the page; the folder of this file has no DOM types.
declare const location: { readonly href: string }
declare const document: {
  querySelector(selector: string): { readonly disabled: boolean; click(): void } | null
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string; click(): void }>
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number }
}

interface Sent {
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

type Rows = AnswerOf<'listUsers'>['rows']
const row: Omit<Rows[number], 'userId'> = {
  ...{ firstSeenAt: '2026-11-20T09:00:00.000Z', lastSeenAt: '2026-11-23T09:00:00.000Z', topReason: 'SIM_SWAPPED' },
  ...{ shared: 3, decisions: 12, refused: 2, badLabels: 1, goodLabels: 0 },
  state: { level: 'bad', text: 'In 30 days: 1 bad label.', badLabels: 1, passed: 10, refused: 2 },
}
const strange = ['<img src=x onerror="globalThis.stolen=1">', 'مستخدم ١', '👩‍👩‍👧 maya', 'x'.repeat(10_000)]
const lists = [
  {
    name: 'mules',
    kind: 'userId',
    purpose: 'block',
    entries: 3,
    changedAt: '2026-11-20T09:00:00.000Z',
    changedBy: 'maya',
  },
] as unknown as AnswerOf<'describeLists'>['lists']
const decided = (decisionId: string) => ({
  ...{ id: decisionId, type: 'decision.created', timestamp: '2026-11-23T09:00:00.000Z', outcome: 'ALLOW' },
  data: { decisionId },
})
const usual: Answers = {
  me: signedIn([...allPermissions, 'personalData.read']),
  listUsers: { rows: strange.map((userId) => ({ userId, ...row })) },
  listNumbers: { rows: [{ phoneNumber: '********1726', ...row }] },
  listDevices: { rows: [] },
  describeLists: { lists },
  searchEvents: { events: ['d-1', 'd-2'].map(decided) } as never,
  label: { accepted: 2, unknown: [] },
  addListEntries: { added: 2, changed: 0 } as never,
}

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers = usual): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.prepare(axeSource)
  await page.goto(`${service().url}/console${path}`)
  return page
}

const press = (page: TestPage, name: string) =>
  page.evaluate((wanted) => {
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(({ textContent }) => textContent === wanted)!.click()
  }, name)

const sent = (page: TestPage, path: string): Promise<Sent[]> =>
  page.evaluate(
    (wanted) => (globalThis as unknown as { calls: Sent[] }).calls.filter(({ path }) => path === wanted),
    path,
  )

inEachBrowser((test) => {
  test('shows strange ids as they are, and runs none of them', async (t, browser) => {
    const page = await open(t, browser, '/user')
    for (const id of strange.slice(0, 3)) await shows(page, id)
    await shows(page, 'SIM swapped')
    const { stolen, wider } = await page.evaluate(
      () => ({
        stolen: 'stolen' in globalThis,
        wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }),
      undefined,
    )
    assert.deepEqual([stolen, wider], [false, 0])
    assert.deepEqual(await seriousFindings(page), [])
    assert.deepEqual(page.complaints, [])
  })

  test('adds the chosen rows to a list in one call', async (t, browser) => {
    const page = await open(t, browser, '/user')
    await shows(page, 'SIM swapped')
    await page.evaluate(() => {
      for (const each of [...document.querySelectorAll('tbody input')].slice(1, 3)) each.click()
    }, undefined)
    await shows(page, '2 chosen')
    await press(page, 'Add to list')
    await shows(page, 'mules')
    await press(page, 'Add')
    await shows(page, 'Added to mules')
    const [call] = await sent(page, '/v1/lists/add')
    const { entries } = call!.body as { entries: { value: string }[] }
    assert.deepEqual(
      entries.map(({ value }) => value),
      strange.slice(1, 3),
    )
  })

  test('labels the decisions of the chosen rows in one call, after a question with their number', async (t, browser) => {
    const page = await open(t, browser, '/user')
    await shows(page, 'SIM swapped')
    await page.evaluate(() => {
      for (const each of [...document.querySelectorAll('tbody input')].slice(1, 3)) each.click()
    }, undefined)
    await shows(page, '2 chosen')
    await press(page, 'Label ')
    await click(page, '[role=menuitem]', 'Chargeback')
    await shows(page, 'Label 2 decisions as chargeback?')
    assert.deepEqual(await sent(page, '/admin/v1/labels'), [], 'nothing is labelled before the answer')
    await press(page, 'Label 2 decisions')
    await until(async () => (await sent(page, '/admin/v1/labels')).length > 0, 'labels are sent')
    const calls = await sent(page, '/admin/v1/labels')
    const labels = ['d-1', 'd-2'].map((decisionId) => ({ decisionId, outcome: 'chargeback' }))
    assert.deepEqual(
      calls.map(({ body }) => body),
      [{ labels }],
    )
    const searched = (await sent(page, '/admin/v1/events/search')).flatMap(({ body }) => body!.userId ?? [])
    assert.deepEqual(searched, strange.slice(1, 3))
    const viewer = await open(t, browser, '/user', {
      ...usual,
      me: signedIn(allPermissions.filter((each) => each !== 'decisions.label').concat('personalData.read')),
    })
    await shows(viewer, 'SIM swapped')
    await viewer.evaluate(() => [...document.querySelectorAll('tbody input')][1]!.click(), undefined)
    await shows(viewer, '1 chosen')
    const names = await viewer.evaluate(
      () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent.trim()),
      undefined,
    )
    assert.ok(names.includes('Export') && !names.includes('Label'), 'a role that may not label is not offered it')
  })

  test('a search is in the body of a call and not in the URL; the first characters need a role that sees them', async (t, browser) => {
    const page = await open(t, browser, '/user?filter=shared')
    await shows(page, 'SIM swapped')
    await fill(page, '.entity-search input', 'asha')
    await press(page, 'Begins with')
    await shows(page, 'Show all')
    const calls = (await sent(page, '/admin/v1/users/list')).map(({ body }) => body)
    assert.deepEqual(calls, [{ filter: 'shared' }, { filter: 'all', beginsWith: 'asha' }])
    assert.ok(!(await page.evaluate(() => location.href, undefined)).includes('asha'))
    const masked = signedIn(allPermissions)
    const other = await open(t, browser, '/number', { ...usual, me: masked })
    await shows(other, '********1726')
    const { names, isDisabled } = await other.evaluate(
      () => ({
        names: [...document.querySelectorAll('button')].map(({ textContent }) => textContent),
        isDisabled: document.querySelector('tbody input')!.disabled,
      }),
      undefined,
    )
    assert.ok(!names.includes('Begins with'))
    assert.ok(isDisabled, 'a masked number goes into no list')
  })

  test('a tenant with nothing is told so', async (t, browser) => {
    const page = await open(t, browser, '/devices')
    await shows(page, 'None has a bad label or a stopped decision')
    assert.deepEqual(page.complaints, [])
  })
})
