import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { fromBase32, join } from '@ringfence/server/admin/people/testing.ts'
import { codeOf } from '@ringfence/server/admin/people/totp.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import type { ConsoleMessage, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/browsers.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: object
declare const axe: { run(where: object, options: object): Promise<{ violations: { id: string; impact: string }[] }> }

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Firefox has no authenticator for tests by WebDriver BiDi; what it sends is in server/src/admin/passkeys/passkeys.test.ts.

let service: TestService
let page: Page
let url: string
const ends: (() => Promise<unknown>)[] = []
const complaints: string[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  service = await startTestService(t as never, await sqliteDatabases.open(t as never))
  // Browsers have passkeys at localhost, and at no IP address.
  url = service.url.replace('127.0.0.1', 'localhost')
  const chromium = await launchChromium(t as never)
  const context = await chromium.newContext()
  const { browser } = await join(service)
  const value = browser.cookies.get(consoleCookie)!
  const attributes = { path: '/', domain: 'localhost', secure: true, httpOnly: true, sameSite: 'Strict' } as const
  await context.addCookies([{ name: consoleCookie, value, ...attributes }])
  page = await context.newPage()
  page.on('console', (message) => isComplaint(message) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Browsers note answers such as 401 too. */
const isComplaint = (message: ConsoleMessage) =>
  message.type() === 'error' && !message.text().startsWith('Failed to load resource')

async function seriousFindings(): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate(() =>
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }),
  )
  return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id }) => id)
}

const button = (name: string) => page.getByRole('button', { name, exact: true }).last()
const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: 60_000 })

test('a person adds a passkey, signs out, and signs in with it', async () => {
  await page.goto(`${url}/console/account`)
  await shows('It needs no password and no code')
  await button('Add a passkey').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('The grey laptop')
  await button('Continue').click()
  await shows('not used yet')

  await button('Rename The grey laptop').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('The blue laptop')
  await button('Save').click()
  await button('Remove The blue laptop').waitFor()

  await page.locator('button.account').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await button('Sign in with a passkey').waitFor()
  assert.deepEqual(await seriousFindings(), [], 'sign-in')
  await button('Sign in with a passkey').click()
  await page.getByText(/, last used/).waitFor({ timeout: 60_000 })
  assert.deepEqual(complaints, [])
})

test('later, a change needs the passkey again; a device gets no second one', async () => {
  service.clock.advance({ seconds: 601 })
  await page.goto(`${url}/console/account`)
  await button('Add a passkey').click()
  await button('Continue').click()
  await shows('Show that it is still you')
  assert.deepEqual(await seriousFindings(), [], 'another proof')
  await button('Use a passkey').click()
  await shows('This device has a passkey for your account already')
  await button('Cancel').click()
  await button('Remove The blue laptop').click()
  await button('Remove').click()
  await shows('It needs no password and no code')
})

test('a new authenticator app is confirmed with its code, and makes new recovery codes', async () => {
  await page.goto(`${url}/console/account`)
  await button('New authenticator app').click()
  const secret = await page.locator('.new-app .copy code').innerText()
  assert.deepEqual(await seriousFindings(), [], 'new app')
  const field = page.getByRole('textbox', { name: 'Code of the new app' })
  await field.fill('000000')
  await button('Use the new app').click()
  await shows('This is no code of the new app')
  await field.fill(codeOf(fromBase32(secret), Math.floor(service.clock.now() / 30_000)))
  await page.getByText('Make new recovery codes too').click()
  await button('Use the new app').click()
  await shows('Codes of the previous app do not work any more')
  assert.equal(await page.locator('.new-codes li').count(), 10)
  await button('Done').click()
  await shows('Recovery codes left')
  assert.deepEqual(complaints, [])
})
