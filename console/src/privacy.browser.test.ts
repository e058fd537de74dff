import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser } from '../../browser/src/testing/browser-tests.ts'
import type { AnswerOf } from './api/call.ts'
import { answering, signedIn } from './testing/answered-calls.ts'
import { type as fill, shows } from './testing/in-the-page.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelectorAll(
    selector: string,
  ): Iterable<{ readonly textContent: string; readonly disabled: boolean; click(): void }>
}

const receipt: AnswerOf<'eraseSubject'> = {
  version: 1,
  id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
  erasedAt: '2026-11-23T09:12:44.026Z',
  by: 'Maya Rao',
  reason: 'Ticket 4711',
  subject: { kind: 'phoneNumber', salt: 'AAAA', hash: 'BBBB' },
  erased: { event: 12, decision: 3 },
  kept: { listEntry: 1 },
  remains: ['Backups made before'],
  publicKey: 'CCCC',
  signature: 'DDDD',
}
const answers = {
  me: signedIn(),
  readRetention: {
    kinds: [
      { kind: 'Events', days: 30, setting: 'EVENT_DAYS', note: 'From when they happened' },
      { kind: 'Users and their identities', note: 'Until they are erased' },
    ],
  },
  listErasures: { receipts: [receipt] },
  eraseSubject: receipt,
}

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
  test('erases a person when the number is typed once more, and shows receipts and retention', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(answering(answers))
    await page.goto(`${url}/console/privacy`)
    for (const text of ['How long data is stored', 'EVENT_DAYS', '30 days', 'Until deleted', 'Ticket 4711']) {
      await shows(page, text)
    }
    const erase = (isPressed: boolean) =>
      page.evaluate((press) => {
        const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Erase')!
        if (press) button.click()
        return button.disabled
      }, isPressed)
    await fill(page, 'input[name=subject]', '917020141726')
    await fill(page, 'input[name=reason]', 'Ticket 4711')
    assert.equal(await erase(false), true, 'not typed again')
    await fill(page, 'input[name=again]', '917020141727')
    assert.equal(await erase(false), true, 'typed differently')
    await fill(page, 'input[name=again]', '917020141726')
    assert.equal(await erase(true), false)
    await shows(page, 'Erased: event 12, decision 3. 1 list entries were kept.')
    assert.deepEqual(page.complaints, [])
  })
})
