// Does every page fit a phone, a small laptop and a desk when it has what a shop has: a month of decisions, long names, large amounts?

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { recountActivity } from '@ringfence/server/admin/overview/count-activity.ts'
import { personWith } from '@ringfence/server/admin/people/test-person.ts'
import { readConfig } from '@ringfence/server/core/config/config.ts'
import { startService } from '@ringfence/server/main.ts'
import { readRuleFile } from '@ringfence/server/rules/rule-file.ts'
import { atEnd, type Ending } from '@ringfence/server/testing/at-end.ts'
import type { TestService } from '@ringfence/server/testing/test-service.ts'
import { pino } from 'pino'
import { playMonth } from '../../../proof/bench/console/demo-month.ts'
import { launchChromium } from '../../../scripts/browsers.ts'
import { axeSource, seriousFindings } from '../testing/accessibility.ts'
import { cutInPage } from './cut-in-page.ts'
import { pageRoutes } from './page-routes.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: { querySelector(selector: string): object | null }

/** Each twentieth session of the demo: all its attacks and shoppers, in seconds. */
const every = 20
const sizes = [
  { width: 360, height: 740 },
  { width: 1024, height: 768 },
  { width: 1440, height: 800 },
]
const long = (start: string) => start.padEnd(64, 'abcdef0123456789')
const words = 'Payments above a hundred thousand rupees from a device that nobody has seen before'
const longRule = `
rules:
  - id: ${long('large-').slice(0, 64)}
    name: ${words}
    when: action == "REFUND"
    action: REVIEW
    score: 90
    message: ${words}
`

/** The shop of the demo, with what people name at its longest. */
async function startShop(t: Ending) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-shop-'))
  const options = { dataFolder, masterKeyFile: join(dataFolder, 'master.key'), port: 0, drainMs: 0 }
  const service = await startService({
    config: readConfig({ options: { ...options, publicRatePerSecond: 10_000 } }),
    log: pino({ level: 'silent' }),
  })
  atEnd(t, async () => {
    await service.stop()
    await rm(dataFolder, { recursive: true }) // last: nobody writes into it any more
  })
  const { url, parts } = service
  const tenantId = await playMonth(parts, every)
  const maya = await personWith(
    { url, parts, tenantId, clock: { now: Date.now } } as TestService,
    'owner',
    long('Maya'),
  )
  const done = async (name: Parameters<typeof maya.call>[0], fields: object) => {
    const { status, body } = await maya.call(name, fields)
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
    return body
  }
  await done('createList', { name: long('list-'), kind: 'userId', purpose: 'block', description: words })
  await done('addListEntries', { name: long('list-'), entries: [{ value: long('user-'), note: words }] })
  await done('createApp', { name: long('app'), origins: [`https://${long('shop').slice(0, 60)}.example`] })
  await done('addWebhook', { url: `https://hooks.example/${long('path-')}`, types: ['decision.created'] })
  await done('createRole', { name: 'night-shift', description: words, permissions: ['decisions.read'] })
  const by = { by: long('maya') }
  const before = await parts.rules.read(tenantId, 1)
  const { ruleSet } = readRuleFile(longRule.trimStart())
  const version = await parts.rules.draft(tenantId, { ...before, rules: [...before.rules, ...ruleSet.rules] }, by)
  await parts.rules.shadow(tenantId, version, by)
  await parts.rules.live(tenantId, version, by)
  const credentials = await parts.clients.createClient(tenantId, long('backend'))
  const decide = async (params: object) => {
    const answer = await fetch(`${url}/v1/decisions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify({ action: 'REFUND', userId: long('user-'), phoneNumber: '917020140110', params }),
    })
    const body = (await answer.json()) as { decisionId: string }
    assert.equal(answer.status, 200, JSON.stringify(body))
    return body.decisionId
  }
  const decisionId = await decide({ amount: 99_999_999_999, currency: 'INR', payee: long('payee-') })
  await decide({ amount: 123_456_789, currency: long('CUR').slice(0, 12) })
  await done('label', { labels: [{ decisionId, outcome: 'fraud' }] })
  await done('commentReview', { decisionId, comment: words })
  await recountActivity(tenantId, parts)
  const { rows } = await done('listDevices', { filter: 'all', limit: 1 })
  const { backtestId } = await done('startBacktest', { version })
  return {
    url: url.replace('127.0.0.1', 'localhost'),
    token: maya.token,
    filled: {
      '/decisions/$decisionId': `/decisions/${decisionId}`,
      '/devices/$deviceId': `/devices/${rows[0].deviceId}`,
      '/lists/$name': `/lists/${long('list-')}`,
      '/number': '/number',
      '/user': '/user',
      '/rules/backtest': `/rules/backtest?id=${backtestId}`,
    } as Readonly<Record<string, string>>,
    more: [`/number#917020140110`, `/user#${long('user-')}`],
  }
}

test('every page fits a phone, a small laptop and a desk with what a shop has, and is accessible in the dark', {
  timeout: 600_000,
}, async (t) => {
  const browser = await launchChromium(t) // first, so that its pages end before the service
  const { url, token, filled, more } = await startShop(t)
  const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' })
  t.after(() => context.close())
  await context.addCookies([{ name: consoleCookie, value: token, url: url.replace('http:', 'https:'), secure: true }])
  await context.addInitScript({ content: axeSource })
  const page = await context.newPage()
  const found: string[] = []
  for (const path of [...pageRoutes.map((route) => filled[route] ?? route), ...more]) {
    await page.setViewportSize(sizes[0]!)
    await page.goto('about:blank')
    await page.goto(`${url}/console${path}`)
    await page.waitForFunction(() => document.querySelector('h1, h2') && !document.querySelector('.loading'))
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const each of await page.evaluate(cutInPage)) found.push(`${path} at ${size.width}: ${each}`)
    }
    for (const each of await seriousFindings(page as never)) found.push(`${path} in the dark: ${each}`)
  }
  assert.deepEqual(found, [])
})
