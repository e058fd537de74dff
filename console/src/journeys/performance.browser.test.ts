// Does a label move the figures of Performance, beside the period before and within a filter? As an analyst would, in Chromium and Firefox.

import assert from 'node:assert/strict'
import { countActivity } from '@ringfence/server/admin/overview/count-activity.ts'
import { decisionCalls } from '@ringfence/server/decisions/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestPage } from '../../../browser/src/testing/browser-tests.ts'
import { press } from '../testing/as-a-person.ts'
import { click, shows, until } from '../testing/in-the-page.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelectorAll(selector: string): Iterable<{
    readonly textContent: string
    querySelector(selector: string): { readonly textContent: string } | null
    querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>
    getAttribute(name: string): string | null
  }>
}

const rule = { id: 'large', name: 'Large payment', when: 'params.amount > 1000', action: 'BLOCK', score: 60 }

/** The text of each tile, by its title without the star. */
const tiles = (page: TestPage): Promise<Record<string, string>> =>
  page.evaluate(
    () =>
      Object.fromEntries(
        [...document.querySelectorAll('.tiles > div')].map((tile) => [
          tile.querySelector('dt')!.textContent.replace('*', ''),
          tile.querySelector('dd')!.textContent,
        ]),
      ),
    undefined,
  )

const cells = (page: TestPage, row: string): Promise<string[]> =>
  page.evaluate(
    (name) =>
      [...document.querySelectorAll('tbody tr')]
        .filter(({ textContent }) => textContent.startsWith(name))
        .map(({ textContent }) => textContent),
    row,
  )

const eventRows = (page: TestPage): Promise<number> =>
  page.evaluate(() => [...document.querySelectorAll('.events-row')].length, undefined)

const examples = () =>
  [...document.querySelectorAll('.rule-examples a')].map(
    (link) => `${link.getAttribute('href')} ${[...link.querySelectorAll('.badge')].at(-1)?.textContent}`,
  )

inEachBrowser((test) => {
  test('a label moves the rates, the amounts and the rule that stopped somebody good', async (t, browser) => {
    const service = await startTestService(t, await sqliteDatabases.open(t), {
      settings: { publicRatePerSecond: 10_000 },
    })
    const { clock, parts, tenantId } = service
    const { decide, publish } = decisionCalls(service)
    await publish([rule] as never)
    const pay = async (amount: number, action = 'PAYMENT') => {
      const { body } = await decide({ action, userId: 'asha', params: { amount, currency: 'INR' } })
      return body.decisionId as string
    }
    for (const amount of [5, 6, 7, 8]) await pay(amount)
    clock.advance({ hours: 24 * 8 })
    const stopped = await pay(41_000)
    await pay(9)
    for (const amount of [10, 11]) await pay(amount, 'TRANSFER')
    const count = async () => {
      clock.advance({ seconds: 30 })
      await countActivity(parts)
    }
    await count()

    const restrictions = { scopes: 'admin', role: 'analyst', allowedIps: null, expiresAt: null }
    const credentials = await parts.clients.createClient(tenantId, 'analyst', restrictions)
    const page = await browser.open(t)
    // A client key with a role reads and labels as its person would.
    await page.prepare(`
      const send = fetch
      globalThis.fetch = (url, init = {}) => send(url, { ...init, headers: { ...init.headers, ...${JSON.stringify(credentials)} } })
    `)
    const performance = `${service.url}/console/performance?days=7`
    await page.goto(performance)
    await shows(page, 'Against the 7 days before')
    await shows(page, 'Rules by false positives')
    const before = await tiles(page)
    assert.equal(before.Approval, '75%down 25 points', 'three of four, after four of four')
    assert.match(before['False positives']!, /^–/)
    assert.deepEqual(await cells(page, 'INR'), ['INR₹0₹0₹0₹41,030'])

    await click(page, '.page-actions .select', 'All operations')
    await click(page, '[role=option]', 'Transfer')
    await until(async () => (await tiles(page)).Approval === '100%', 'the filter shows transfers alone')
    await click(page, '.page-actions .select', 'Transfer')
    await click(page, '[role=option]', 'All operations')
    await until(async () => (await tiles(page)).Approval === before.Approval, 'all operations are shown again')

    await page.goto(`${service.url}/console/decisions/${stopped}`)
    await press(page, 'Label')
    await press(page, 'Legitimate')
    await shows(page, 'Labelled: Legitimate')
    await count()
    await page.goto(performance)
    await shows(page, 'Rules by false positives')
    await until(async () => (await cells(page, 'INR'))[0] === 'INR₹0₹0₹41,000₹41,030', 'the amount is of somebody good')
    const after = await tiles(page)
    assert.notEqual(after['False positives'], before['False positives'])
    assert.equal(after.Approval, before.Approval, 'a label changes no decision')
    // Its name comes after the figures.
    await until(
      async () => (await cells(page, 'Large payment')).some((row) => /^Large payment1(?:0|)1010$/.test(row)),
      'the rule that stopped somebody good',
    )

    await page.goto(`${performance}&operation=PAYMENT`)
    await click(page, 'td a', 'Large payment')
    for (const text of ['Rule: Large payment', 'Operation: Payment']) await shows(page, text)
    await until(async () => (await eventRows(page)) === 1, 'the one decision that the figure counts')
    await click(page, 'button', 'Rule: Large payment')
    await until(async () => (await eventRows(page)) === 2, 'all payments of these days, of which the rule fired in one')

    await page.goto(`${service.url}/console/rules`)
    await click(page, '.rule-line', 'Large payment')
    await shows(page, 'Newest decisions in which it fired')
    await until(
      async () => (await page.evaluate(examples, undefined)).join() === `/console/decisions/${stopped} Legitimate`,
      'the example leads to its decision, and has its label',
    )
    await shows(page, 'by test')

    await publish([{ ...rule, id: 'other', name: 'Another rule' }] as never)
    await page.goto(performance)
    await click(page, 'td a', 'Large payment')
    await shows(page, 'Rule: Large payment')
    await page.prepare(`Date.now = () => ${clock.now()}`)
    await page.goto(`${service.url}/console/?range=30d`)
    await shows(page, 'Large payment')
    await page.goto(`${service.url}/console/live`)
    await shows(page, 'Watching')
    const report = { action: 'BLOCK', rules: ['large', 'never-there'] }
    const event = { type: 'device.report.created', data: report, orderedBy: 'report', outcome: 'BLOCK' }
    await parts.database.batch(await parts.events.statements(tenantId, [event as never]))
    await click(page, '.events-row a', 'Device report')
    await shows(page, 'Large payment, never-there')
    assert.deepEqual(page.complaints, [])
  })
})
