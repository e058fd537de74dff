import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { personWith, type TestPerson } from '@ringfence/server/admin/people/test-person.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { axeSource, seriousFindings } from './testing/accessibility.ts'
import { click as press, shows, type, until } from './testing/in-the-page.ts'

interface Found {
  readonly textContent: string
  readonly shadowRoot: { querySelector(selector: string): Found | null } | null
  click(): void
  focus(): void
}
// Of the page; the folder of this file has no DOM types.
declare let document: {
  cookie: string
  querySelector(selector: string): Found | null
  querySelectorAll(selector: string): Iterable<Found>
}

let service: TestService
let people: { maya: TestPerson; ravi: TestPerson }
const ends: (() => Promise<unknown>)[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  service = await startTestService(t as never, await sqliteDatabases.open(t as never))
  people = { maya: await personWith(service, 'owner', 'Maya'), ravi: await personWith(service, 'admin', 'Ravi') }
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A page of the console in the session of a person. */
async function open(t: Ending, browser: TestBrowser, { token }: TestPerson, path: string): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(axeSource)
  // The service runs at localhost, where browsers accept secure cookies without TLS.
  const console = `${service.url.replace('127.0.0.1', 'localhost')}/console`
  await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/ready`)
  await page.evaluate(
    ([name, value]) => {
      document.cookie = `${name}=${value}; Secure; Path=/`
    },
    [consoleCookie, token] as const,
  )
  await page.goto(`${console}${path}`)
  return page
}

const rulesText = (page: TestPage) =>
  page.evaluate(
    () => document.querySelector('.text-editor')?.shadowRoot?.querySelector('.cm-content')?.textContent ?? '',
    undefined,
  )

/** Looks at the text, and goes back to the form. */
async function hasText(page: TestPage, wanted: string): Promise<void> {
  await press(page, '.edit-views button', 'Text')
  let text = ''
  const isThere = async () => {
    text = await rulesText(page)
    return text.includes(wanted)
  }
  await until(isThere, () => `the text has no ${wanted}: ${text}`)
  await press(page, '.edit-views button', 'Form')
}

/** In the last row of the open rule. */
async function choosePath(page: TestPage, words: string, path: string): Promise<void> {
  await page.evaluate(() => [...document.querySelectorAll('.rule-form .path-input input')].at(-1)!.focus(), undefined)
  await type(page, '.rule-form .rule-row:last-of-type .path-input input', words)
  await press(page, `[role=option][data-key="${path}"]`, path)
}

inEachBrowser((test) => {
  test('a newcomer writes a rule by the form alone, and a second person makes it live', async (t, browser) => {
    const page = await open(t, browser, people.maya, '/rules/edit?base=0')
    await shows(page, 'Valid')
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('.rule-form')].length, undefined), 1)
    await press(page, '.rule-lines-head button', 'Add a rule')
    await shows(page, 'Choose what to compare')
    await shows(page, 'Unfinished')
    await choosePath(page, 'newdevice', 'newDevice')
    await hasText(page, 'New rule')
    await press(page, '.rule-form .rule-rows > button', 'Add a condition')
    await shows(page, 'Unfinished')
    await choosePath(page, 'sim swapped', 'telecom.simSwap.swapped')
    await hasText(page, 'when: newDevice and telecom.simSwap.swapped')
    assert.deepEqual(await seriousFindings(page), [])
    await shows(page, 'Valid')
    await shows(page, '1 change, based on live default rules · kept in this browser')
    await press(page, '.draft-bar button', 'Save draft')
    await shows(page, 'Draft')
    await press(page, '.page-actions button', 'Publish')
    await shows(page, 'Another person has to approve')
    await type(page, '.publish input', 'SIM swaps on new devices')
    await press(page, '.publish button', 'Ask for approval')
    await shows(page, 'Waiting for approval')
    assert.deepEqual(await seriousFindings(page), [])
    assert.deepEqual(
      page.complaints.filter((each) => !each.includes('404')),
      [],
    )

    const second = await open(t, browser, people.ravi, '')
    await shows(second, 'Needs attention')
    await press(second, '.attention a', 'Rules wait for your approval')
    await shows(second, 'SIM swaps on new devices')
    await shows(second, 'What changes against')
    await shows(second, 'newDevice and telecom.simSwap.swapped')
    assert.deepEqual(await seriousFindings(second), [])
    await press(second, '.requests button', 'Approve and publish')
    await shows(second, 'Maya, approved by Ravi')
    const live = async () => (await people.ravi.call('readRules', { version: 'live' })).body.rules[0].when
    await until(async () => (await live()) === 'newDevice and telecom.simSwap.swapped', 'the version is not live')
    const back = await people.ravi.call('requestPublication', { version: 0, note: 'back' })
    await people.maya.call('approvePublication', { number: String(back.body.number) })
  })

  test('shows the result of a backtest by its id, also after a reload', async (t, browser) => {
    await service.post('/v1/decisions', { action: 'PAYMENT', userId: 'u', phoneNumber: '917020140110' })
    const { body } = await people.maya.call('startBacktest', { version: 0 })
    const page = await open(t, browser, people.maya, `/rules/backtest?id=${body.backtestId}`)
    await shows(page, 'By rule')
    await shows(page, 'An entry of a list counts from when it was added')
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/console/rules/backtest?id=${body.backtestId}`)
    await shows(page, 'What changes')
    assert.deepEqual(await seriousFindings(page), [])
  })
})
