// Does a person get from `npm start` to where they want to be, in the browser alone? Each journey is one that somebody makes in their first week.

import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../../browser/src/testing/browser-tests.ts'
import { commandLine } from '../../../cli/src/testing.ts'
import type { Ending } from '../../../scripts/browsers.ts'
import { choose, fill, press } from '../testing/as-a-person.ts'
import { shows } from '../testing/in-the-page.ts'
import { comeIn, inviteTo } from './person.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: { querySelector(selector: string): { click(): void } | null }

/** The service as `npm start` runs it, and its owner. */
async function started(t: Ending, browser: TestBrowser) {
  const service = await (await commandLine(t)).serve(['--sandbox'])
  const link = /\S+\/console\/welcome#\S+/.exec(service.stdout)?.[0]
  assert.ok(link, service.stdout)
  return {
    console: link.replace(/\/welcome#.*/, ''),
    sandbox: /(\S+)\/sandbox\/calls/.exec(service.stdout)?.[1],
    owner: await comeIn(t, browser, link, 'Maya'),
  }
}

/** Chromium writes each refusal, which these people meet on their way. */
const complaintsOf = ({ complaints }: TestPage) => complaints.filter((each) => !/status of 40[134]/.test(each))

const swapped = '+91 70201 40110'
const digits = '917020140110'
const ordinary = '917020141726'

inEachBrowser((test) => {
  test(
    'an owner gets from the one-time link to a session that an own rule blocks',
    async (t, browser) => {
      const { console, owner } = await started(t, browser)
      await owner.isAt('/console/start')
      await shows(owner, 'Make the first call')
      await press(owner, 'Try a decision')
      await fill(owner, 'Phone number', swapped)
      await press(owner, 'Decide')
      await shows(owner, 'See why')
      await press(owner, 'See why', '[role=dialog]')
      await shows(owner, 'Sent to review')
      await shows(owner, 'The SIM of this number was replaced')

      await press(owner, 'Start a rule')
      await shows(owner, 'Like decision')
      await shows(owner, 'Valid')
      await choose(owner, 'Then', 'Block')
      await shows(owner, 'Valid')
      await press(owner, 'Save draft')
      await shows(owner, 'Publish…')
      await press(owner, 'Backtest', '.page-actions')
      await shows(owner, 'What changes')
      const admin = await comeIn(t, browser, await inviteTo(owner, console, 'Admin'), 'Ravi')

      await owner.goto(`${console}/rules?version=1`)
      await press(owner, 'Publish…')
      await fill(owner, 'Why', 'Swapped SIMs')
      await press(owner, 'Ask for approval')
      await shows(owner, 'Waiting for approval')
      await admin.goto(`${console}/rules`)
      await press(admin, 'Approve and publish')
      await shows(admin, 'Maya, approved by Ravi')

      // Of two windows, Firefox calls the older one hidden: there the live page rests.
      await admin.goto(`${console}/live`)
      await shows(admin, 'Watching')
      await press(admin, 'Try a decision')
      await fill(admin, 'Phone number', swapped)
      await press(admin, 'Decide')
      await shows(admin, 'Block')
      await press(admin, 'See why', '[role=dialog]')
      await shows(admin, 'Blocked')
      await shows(admin, 'Like decision')
      for (const page of [owner, admin]) assert.deepEqual(complaintsOf(page), [])
    },
    { minutes: 3 },
  )

  test(
    'an analyst finds a decision and labels it; keys and people are for others',
    async (t, browser) => {
      const { console, owner } = await started(t, browser)
      await press(owner, 'Try a decision')
      await fill(owner, 'User id', 'u-of-a-thief')
      await press(owner, 'Decide')
      await shows(owner, 'See why')
      const analyst = await comeIn(t, browser, await inviteTo(owner, console, 'Analyst'), 'Ana')
      await analyst.goto(`${console}/search`)
      await shows(analyst, 'u-of-a-thief')
      await press(analyst, 'Login')
      await shows(analyst, 'Sent to review')
      await press(analyst, 'Label')
      await press(analyst, 'Fraud')
      await shows(analyst, 'Labelled: Fraud')
      await analyst.goto(`${console}/people`)
      await shows(analyst, 'Your role does not allow this')
      assert.deepEqual(complaintsOf(analyst), [])
    },
    { minutes: 2 },
  )

  test(
    'an owner sees which particular differs from the subscriber of a number, and that an email address is disposable',
    async (t, browser) => {
      const { console, sandbox, owner } = await started(t, browser)
      await fetch(`${sandbox}/sandbox/numbers/${ordinary}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ subscriber: { birthdate: '1988-07-06', email: null } }),
      })
      await owner.goto(`${console}/number#${ordinary}`)
      await press(owner, 'Check now')
      await choose(owner, 'Check', 'KYC match')
      await fill(owner, 'Birth date', '1978-08-22')
      await fill(owner, 'Email', 'z@shop.example')
      await press(owner, 'Check', '[role=dialog] footer')
      await shows(owner, 'Something does not match')
      await shows(owner, 'Birth date does not match. Email is not known to the operator.')
      await fill(owner, 'Birth date', '1988-07-06')
      await press(owner, 'Check', '[role=dialog] footer')
      await shows(owner, 'Birth date matches.')

      await owner.goto(`${console}/live`)
      await press(owner, 'Try a decision')
      await choose(owner, 'Operation', 'Signup')
      await fill(owner, 'Email address', 'no address')
      await press(owner, 'Decide')
      await shows(owner, 'email')
      await fill(owner, 'Email address', 'asha@mailinator.com')
      await press(owner, 'Decide')
      await press(owner, 'See why', '[role=dialog]')
      await shows(owner, 'Sign-up with a disposable email address')
      assert.deepEqual(
        owner.complaints.filter((each) => !/status of 40[0134]/.test(each)),
        [],
      )
    },
    { minutes: 2 },
  )

  test(
    'support erases a number with the user who is linked to it, and nothing is found afterwards',
    async (t, browser) => {
      const { console, owner } = await started(t, browser)
      await press(owner, 'Try a decision')
      await fill(owner, 'User id', 'u-who-asks')
      await fill(owner, 'Phone number', swapped)
      await press(owner, 'Decide')
      await shows(owner, 'See why')
      const support = await comeIn(t, browser, await inviteTo(owner, console, 'Support'), 'Sam')
      await support.goto(`${console}/privacy`)
      await fill(support, 'Phone number', digits)
      await shows(support, 'User u-who-asks seen with the number')
      await support.evaluate(() => document.querySelector('.privacy-links input')!.click(), undefined)
      await fill(support, 'Reason', 'Ticket 4711')
      await fill(support, 'To erase, type it once more', digits)
      await press(support, 'Erase, with 1 linked')
      await shows(support, 'User u-who-asks: erased')
      await shows(support, '1 decision,')
      await shows(support, 'Ticket 4711')
      await support.goto(`${console}/user#u-who-asks`)
      await shows(support, 'Nothing is stored')
      await owner.goto(`${console}/search`)
      await shows(owner, 'Nothing')
      assert.deepEqual(complaintsOf(support), [])
    },
    { minutes: 2 },
  )
})
