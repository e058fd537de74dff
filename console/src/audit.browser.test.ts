import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, answering, signedIn } from './testing/answered-calls.ts'
import { click, type as fill, shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

interface Element {
  readonly textContent: string
  click(): void
}
// Of the page; the folder of this file has no DOM types.
declare const document: {
  readonly activeElement: Element | null
  querySelectorAll(selector: string): Iterable<Element>
  dispatchEvent(event: object): boolean
}
declare const KeyboardEvent: new (type: string, options: object) => object
declare const location: { readonly search: string }

type Line = AnswerOf<'listAudit'>['lines'][number]

const hostile = '<img src=x onerror="globalThis.stolen=1">'
const line = (number: number, action: string, sent: object, others: Partial<Line> = {}): Line => ({
  ...{ number, at: '2026-11-23T09:12:44.026Z', actor: 'person:maya', action, erased: false },
  hash: String(number).repeat(64).slice(0, 64),
  details: { name: 'Maya Rao', role: 'owner', requestId: `r-${number}`, ipAddress: '203.0.113.7', sent },
  ...others,
})
const tim = { name: `Tim ${hostile}`, role: 'analyst', requestId: 'r-2', ipAddress: '203.0.113.8', sent: {} }
const lines = [
  line(3, 'createList', { name: '=cmd()', kind: 'phoneNumber', note: hostile }),
  line(2, 'signIn', {}, { actor: 'person:tim', details: tim }),
  {
    number: 1,
    at: '2026-11-22T09:00:00.000Z',
    actor: 'person:gone',
    action: 'label',
    erased: true,
    hash: '1'.repeat(64),
  },
]
const usual = {
  me: signedIn(),
  listAudit: { lines },
  exportAudit: { lines: lines.toReversed() },
  verifyAudit: { lines: 3, erased: 1, head: '3'.repeat(64) },
} satisfies Answers

const service = serviceOfFile()

/** `saved` in the page has the texts of saved files. */
const catchingFiles = `
  globalThis.saved = []
  URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return '#' }`

async function open(t: Ending, browser: TestBrowser, answers: Answers = usual, path = '/audit'): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.prepare(catchingFiles)
  await page.goto(`${service().url}/console${path}`)
  return page
}

const press = (page: TestPage, keys: string[]) =>
  page.evaluate((pressed) => {
    for (const key of pressed)
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }, keys)

/** The paths with queries of the calls that the page made. */
const requested = (page: TestPage) =>
  page.evaluate(
    () => (globalThis as unknown as { calls: { path: string; query: string }[] }).calls.map((call) => call.query),
    undefined,
  )

inEachBrowser((test) => {
  test('lists who did what, with stored texts as texts, and opens a line', async (t, browser) => {
    const page = await open(t, browser)
    for (const text of [
      'Created a list',
      'List =cmd()',
      `Tim ${hostile}`,
      '203.0.113.7',
      'Details erased',
      'person:gone',
    ])
      await shows(page, text)
    await click(page, '.audit-table button', 'Created a list')
    for (const text of ['What was sent', hostile, 'r-3', 'Open the list']) await shows(page, text)
    const stolen = await page.evaluate(() => (globalThis as { stolen?: number }).stolen ?? 'nothing', undefined)
    assert.equal(stolen, 'nothing')
    assert.deepEqual(page.complaints, [])
  })

  test('goes through the lines by j and k', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, '203.0.113.7') // in no choice of the filters, as the names are
    await press(page, ['j', 'j', 'j', 'j', 'k'])
    const focused = await page.evaluate(() => document.activeElement?.textContent, undefined)
    assert.equal(focused, 'Signed in')
  })

  test('has its filters in the URL, and sends them', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Created a list')
    await click(page, '.audit-table button', 'Signed in')
    await shows(page, 'In the chain')
    await click(page, '.dialog button', 'All of this kind')
    await fill(page, '.audit-filters input', '2026-11-20')
    const search = () => page.evaluate(() => location.search, undefined)
    await until(async () => (await search()) === '?action=signIn&from=2026-11-20', 'the filters are not in the URL')
    const from = encodeURIComponent(await page.evaluate(() => new Date('2026-11-20T00:00').toISOString(), undefined))
    await until(
      async () => (await requested(page)).includes(`?action=signIn&from=${from}&limit=50`),
      'the filters were not sent',
    )
  })

  test('says whether the log is intact', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Created a list')
    await click(page, '.page-actions button', 'Verify')
    await shows(page, 'The log is intact')
    await shows(page, '3 lines checked. Of 1 line, personal data was erased')
    const broken = { number: 2, reason: 'the line was changed' }
    const other = await open(t, browser, { ...usual, verifyAudit: { lines: 1, erased: 0, broken } })
    await shows(other, 'Created a list')
    await click(other, '.page-actions button', 'Verify')
    await shows(other, 'The log was changed at line 2')
  })

  test('saves a table without formulas', async (t, browser) => {
    const page = await open(t, browser, usual, '/audit?action=createList')
    await shows(page, 'Created a list')
    await click(page, '.page-actions button', 'Export')
    await click(page, '.dialog button', 'Save the file')
    await shows(page, '1 line is in the file.')
    const saved = () => page.evaluate(() => (globalThis as unknown as { saved: string[] }).saved, undefined)
    await until(async () => (await saved()).length > 0, 'nothing was saved')
    const [head, row, ...others] = (await saved())[0]!.split('\r\n')
    assert.match(head!, /^line,at,actor/)
    assert.match(row!, /^"3",/)
    assert.deepEqual(others, [''])
    assert.deepEqual(page.complaints, [])
  })

  test('says that a role may not read it', async (t, browser) => {
    const { listAudit: _, ...others } = usual
    const page = await open(t, browser, { ...others, me: signedIn([]) })
    await shows(page, 'Your role does not allow this')
  })
})
