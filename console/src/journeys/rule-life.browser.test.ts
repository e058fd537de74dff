// Does a rule live its whole life in the console? From a decision over shadow and approval to live, and back; and does an edit outlive its session?

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { countActivity } from '@ringfence/server/admin/overview/count-activity.ts'
import { linkFor } from '@ringfence/server/admin/people/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../../browser/src/testing/browser-tests.ts'
import { choose, fill, press } from '../testing/as-a-person.ts'
import { click, shows, until } from '../testing/in-the-page.ts'
import { join } from './person.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelector(selector: string): { readonly textContent: string; readonly value: string } | null
}

const swapped = '917020140110'

const textIn = (page: TestPage, selector: string) =>
  page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? '', selector)

async function started(t: TestContext, browser: TestBrowser) {
  const settings = { publicRatePerSecond: 10_000 }
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const url = `${service.url.replace('127.0.0.1', 'localhost')}/console`
  const { now } = service.clock
  return {
    ...{ service, url },
    comes: async (name: string, role: string) =>
      join(t, browser, `${url}/welcome#${await linkFor(service, role)}`, { name, now }),
    /** @returns the decision about a payment from a number with a new SIM */
    async decide() {
      service.clock.advance({ seconds: 1 })
      const { status, body } = await service.post('/v1/decisions', {
        ...{ action: 'PAYMENT', userId: 'u-1', phoneNumber: swapped },
      })
      assert.equal(status, 200, JSON.stringify(body))
      return body as { decisionId: string; action: string }
    },
  }
}

inEachBrowser((test) => {
  test(
    'a rule lives from a decision over shadow and approval to live, and one person rolls it back',
    async (t, browser) => {
      const { service, url, comes, decide } = await started(t, browser)
      const maya = await comes('Maya', 'analyst')
      const ravi = await comes('Ravi', 'admin')
      const first = await decide()
      assert.notEqual(first.action, 'BLOCK')

      await maya.page.goto(`${url}/decisions/${first.decisionId}`)
      await press(maya.page, 'Start a rule')
      await maya.page.isAt('/rules/edit')
      await shows(maya.page, 'Valid')
      await choose(maya.page, 'Then', 'Block')
      await until(async () => (await textIn(maya.page, '.rule-then button')).includes('Block'), 'it does not block')
      await shows(maya.page, 'Valid')
      await press(maya.page, 'Shadow', '.draft-bar')
      await shows(maya.page, 'Shadow: version 1')
      await shows(maya.page, 'No decision was made since it runs in shadow.')

      for (const _ of [1, 2, 3]) assert.equal((await decide()).action, first.action, 'a shadow decides nothing')
      service.clock.advance({ hours: 24 })
      await maya.page.goto(`${url}/rules`)
      await shows(maya.page, 'Sign in to Ringfence')
      await maya.signIn()
      await shows(maya.page, 'The same action in 0 of the last 3 decisions.')

      await press(maya.page, 'Shadow', '.stages')
      const lines = () => textIn(maya.page, '.rule-lines ol')
      await until(async () => /Like decision.*shadow.*would have fired: 3/.test(await lines()), 'it shows no shadow')
      await press(maya.page, 'Silent', '.rule-lines')
      await until(async () => !(await lines()).includes('Like decision'), 'what fires in shadow counts as silent')
      await press(maya.page, 'All', '.rule-lines')
      await press(maya.page, 'Like decision', '.rule-lines')
      await shows(maya.page, 'it would have fired in 3; 3 of these would have had another action.')
      await press(maya.page, 'Publish…')
      await fill(maya.page, 'Why', 'Swapped SIMs')
      await press(maya.page, 'Ask for approval')
      await shows(maya.page, 'another person has to approve')
      const detail = await textIn(maya.page, '.rule-detail')
      assert.match(detail, /would have fired in 3/)
      assert.doesNotMatch(detail, /Newest decisions/, 'in shadow it fires in no decision')
      assert.equal((await decide()).action, first.action, 'who waits for approval decides nothing')

      await ravi.page.goto(`${url}/rules`)
      await shows(ravi.page, 'Sign in to Ringfence')
      await ravi.signIn()
      await shows(ravi.page, '“Swapped SIMs”')
      await press(ravi.page, 'Approve and publish')
      await shows(ravi.page, 'Maya, approved by Ravi')
      service.clock.advance({ seconds: 2 })

      const blocked = await decide()
      assert.equal(blocked.action, 'BLOCK')
      await ravi.page.goto(`${url}/decisions/${blocked.decisionId}`)
      await shows(ravi.page, `Blocked by Like decision ${first.decisionId.slice(0, 8)} (Payment)`)
      // The newest events are counted later.
      service.clock.advance({ seconds: 30 })
      await countActivity(service.parts)
      await ravi.page.goto(`${url}/rules`)
      await press(ravi.page, `Like decision ${first.decisionId.slice(0, 8)} (Payment)`)
      await shows(ravi.page, '1 fired')

      await press(ravi.page, 'Roll back to default rules…')
      await shows(ravi.page, 'so you roll back alone')
      await fill(ravi.page, 'Why', 'Good people were hit')
      await press(ravi.page, 'Roll back now')
      await shows(ravi.page, 'Ravi (rolled back)')
      service.clock.advance({ seconds: 2 })
      assert.equal((await decide()).action, first.action, 'as before the rule')
    },
    { minutes: 3 },
  )

  test('an edit of a rule outlives the session: who signs in over it saves it', async (t, browser) => {
    const { service, url, comes } = await started(t, browser)
    const { page, signIn } = await comes('Maya', 'analyst')
    await page.goto(`${url}/rules/edit`)
    await shows(page, 'Valid')
    await click(page, '.rule-line')
    await fill(page, 'Name', 'Renamed before the session ended')
    await shows(page, '1 change')
    await shows(page, 'Valid')

    service.clock.advance({ hours: 1 })
    await press(page, 'Save draft')
    await shows(page, 'Your session has ended')
    await signIn()
    const hasEnded = () => page.evaluate(() => document.querySelector('.session-ended') !== null, undefined)
    await until(async () => !(await hasEnded()), 'the page did not come back')
    await page.isAt('/rules/edit')
    const name = () => page.evaluate(() => document.querySelector('.rule-form input')?.value, undefined)
    assert.equal(await name(), 'Renamed before the session ended')
    const refusals = () => page.evaluate(() => document.querySelector('.call-error')?.textContent, undefined)
    assert.equal(await refusals(), undefined, 'nothing is refused any more')

    service.clock.advance({ hours: 1 })
    await fill(page, 'Name', 'Renamed after it')
    await shows(page, 'Your session has ended')
    await shows(page, 'Checking')
    await signIn()
    await until(async () => !(await hasEnded()), 'the page did not come back again')
    await shows(page, 'Valid')
    assert.deepEqual([await name(), await refusals()], ['Renamed after it', undefined])
    await press(page, 'Save draft')
    await page.isAt('/console/rules?')
    await shows(page, 'Renamed after it')
  })
})
