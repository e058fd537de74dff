// How much does a first visit load? The pages where people begin, by the network log of Chromium.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { join } from '@ringfence/server/admin/people/testing.ts'
import { decisionCalls } from '@ringfence/server/decisions/testing.ts'
import { defaultRules } from '@ringfence/server/rules/defaults/default-rules.ts'
import { writtenRuleSet } from '@ringfence/server/rules/rule-set.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { launchChromium } from '../../../scripts/browsers.ts'
import { largestFirstLoadBytes } from '../../build.ts'
import { firstVisit } from '../testing/first-visit.ts'

const review = { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 }

test('a first visit of overview, rules and reviews loads at most 250 KB with headers and answers', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { decide, publish } = decisionCalls(service)
  await publish([...writtenRuleSet(defaultRules).rules, review] as never)
  for (const amount of [5, 2000, 3000]) await decide({ action: 'PAYMENT', userId: `u-${amount}`, params: { amount } })
  const { browser: person } = await join(service, 'owner')
  const visitor = {
    url: service.url.replace('127.0.0.1', 'localhost'),
    sessionToken: person.cookies.get(consoleCookie)!,
  }
  const browser = await launchChromium(t)
  for (const view of ['/', '/rules', '/reviews']) {
    const { bytes } = await firstVisit(browser, visitor, view)
    t.diagnostic(`${view}: ${bytes} bytes`)
    assert.ok(bytes > 150_000, `${view} is loaded, and not a page of sign-in`)
    assert.ok(bytes <= largestFirstLoadBytes, `${view} loads ${bytes} bytes`)
  }
})
