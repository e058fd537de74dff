// Why was this user refused? One screen answers it: the verdict, what was not known, the rule with what it read, and who it is about.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { personWith } from '@ringfence/server/admin/people/test-person.ts'
import { decisionCalls } from '@ringfence/server/decisions/testing.ts'
import { launchChromium } from '../../../scripts/browsers.ts'
import { serviceOfFile } from '../testing/service-of-file.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelector(selector: string): {
    readonly textContent: string
    getBoundingClientRect(): { readonly top: number; readonly bottom: number }
  } | null
}

const slowNumber = '917020140153'
const hostile = '<img src=x onerror="globalThis.stolen=1">'
const service = serviceOfFile()

test('at 1280 × 800 nobody scrolls to learn why a user was refused, whatever the id of the user is', async (t) => {
  const { decide, publish } = decisionCalls(service())
  const rule = { id: 'amount', name: hostile, when: 'params.amount > 1000', action: 'BLOCK', score: 60 }
  await publish([rule] as never)
  const maya = await personWith(service(), 'owner', 'Maya')
  const browser = await launchChromium(t)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  t.after(() => context.close())
  const url = service().url.replace('127.0.0.1', 'localhost')
  const cookie = { name: consoleCookie, value: maya.token, url: url.replace('http:', 'https:'), secure: true }
  await context.addCookies([cookie])
  const page = await context.newPage()
  for (const userId of ['maya.rao', 'مايا راو', 'u'.repeat(128)]) {
    const asked = { action: 'PAYMENT', userId, phoneNumber: slowNumber, checks: ['simSwap'], deadlineMs: 200 }
    const { body } = await decide({ ...asked, params: { amount: 41_000 } })
    await page.goto(`${url}/console/decisions/${body.decisionId}`)
    await page.waitForFunction(() => document.querySelector('.party-state'))
    const shown = await page.evaluate(() =>
      Object.fromEntries(
        ['.page-title h1', '.unknown', '.fired > [data-decisive]', '.score', '.parties'].map((part) => {
          const found = document.querySelector(part)
          const { top, bottom } = found?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
          return [part, { text: found?.textContent ?? '', isInView: top >= 0 && bottom <= 800 }]
        }),
      ),
    )
    for (const [part, { isInView }] of Object.entries(shown)) assert.ok(isInView, `${part} of ${userId}`)
    assert.equal(shown['.page-title h1']!.text, `Blocked by ${hostile}: amount 41,000, limit 1,000.`)
    assert.match(shown['.unknown']!.text, /^SIM swap check not known: the operator did not answer in time\.Check now$/)
    assert.match(shown['.fired > [data-decisive]']!.text, /Decided.*params\.amount > 1000.*41000/s)
    assert.equal(await page.evaluate(() => 'stolen' in globalThis), false)
  }
})
