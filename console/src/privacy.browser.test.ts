import assert from 'node:assert/strict'
import { inEachBrowser } from '../../browser/src/testing/browser-tests.ts'
import type { AnswerOf } from './api/call.ts'
import { answering, signedIn } from './testing/answered-calls.ts'
import { click, type as fill, press, shows } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'
import { shownNumber, shownUser } from './testing/shown-user.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string; readonly disabled: boolean }>
}
declare const calls: readonly {
  readonly path: string
  readonly body: { readonly subject: { readonly value: string } }
}[]

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
  readNumber: { ...shownNumber, accounts: [{ ...shownNumber.accounts[0]!, userId: 'u-1001' }], unknownAccounts: 1 },
  readUser: { ...shownUser, identities: [{ type: 'EMAIL', value: 'asha@example.com' }] },
  listUserDevices: { devices: [] },
}

const service = serviceOfFile()

inEachBrowser((test) => {
  test('erases a person when the number is typed once more, and shows receipts and retention', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(answering(answers))
    await page.goto(`${service().url}/console/privacy`)
    for (const text of ['How long data is stored', 'EVENT_DAYS', '30 days', 'Until deleted', 'Ticket 4711']) {
      await shows(page, text)
    }
    const isDisabled = () =>
      page.evaluate(
        () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Erase')!.disabled,
        undefined,
      )
    await fill(page, 'input[name=subject]', '917020141726')
    await fill(page, 'input[name=reason]', 'Ticket 4711')
    assert.equal(await isDisabled(), true, 'not typed again')
    await fill(page, 'input[name=again]', '917020141727')
    assert.equal(await isDisabled(), true, 'typed differently')
    await shows(page, 'Linked to it')
    await fill(page, 'input[name=again]', '917020141726')
    await press(page, 'Erase')
    await shows(page, 'Phone number 917020141726: erased 12 events, 3 decisions. 1 list entry was kept.')
    assert.deepEqual(page.complaints, [])
  })

  test('names who is linked to a number before its erasure, takes along who is ticked, and says who stays', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(answering(answers))
    await page.goto(`${service().url}/console/privacy#phoneNumber=917020141726`)
    for (const text of ['User u-1001 seen with the number', 'asha@example.com of user u-1001', '1 more account']) {
      await shows(page, text)
    }
    await click(page, '.privacy-links label', 'seen with the number')
    await fill(page, 'input[name=reason]', 'Ticket 4711')
    await fill(page, 'input[name=again]', '917020141726')
    await shows(page, 'Export as JSON, with 1 linked')
    await press(page, 'Erase, with 1 linked')
    for (const text of ['User u-1001: erased', 'Not erased, although linked to it', 'Not erased: 1 account']) {
      await shows(page, text)
    }
    await shows(page, 'Email address asha@example.com of user u-1001')
    const subjects = await page.evaluate(
      () => calls.filter(({ path }) => path === '/admin/v1/privacy/erase').map(({ body }) => body.subject.value),
      undefined,
    )
    assert.deepEqual(subjects, ['u-1001', '917020141726'])
    assert.deepEqual(page.complaints, [])
  })
})
