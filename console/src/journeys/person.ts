// How does somebody get into the console for the first time? By a one-time link, with a password and an authenticator app.

import { codeOf } from '@ringfence/server/admin/people/totp.ts'
import type { TestBrowser, TestPage } from '../../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../../scripts/browsers.ts'
import { choose, fill, press } from '../testing/as-a-person.ts'
import { fromBase32, shows } from '../testing/in-the-page.ts'

declare const document: { querySelector(selector: string): { readonly textContent: string } | null }

/** Opens the link in a browser without cookies, and makes the account. @returns the page, where the console begins */
export async function comeIn(t: Ending, browser: TestBrowser, link: string, name: string): Promise<TestPage> {
  const page = await browser.open(t)
  await page.goto(link)
  await shows(page, 'Code of the authenticator app')
  const secret = await page.evaluate(() => document.querySelector('.second-factor .copy code')!.textContent, undefined)
  await fill(page, 'Your name', name)
  await fill(page, 'Email address', `${name.toLowerCase()}@shop.example`)
  await fill(page, 'Password', 'blue harbour with seven boats')
  await fill(page, 'Code of the authenticator app', codeOf(fromBase32(secret), Math.floor(Date.now() / 30_000)))
  await press(page, 'Create the account')
  await press(page, 'I have stored them')
  await shows(page, 'Skip to the page')
  return page
}

/** Makes a one-time link on the page People. */
export async function inviteTo(page: TestPage, console: string, role: string): Promise<string> {
  await page.goto(`${console}/people`)
  await press(page, 'Invite')
  await shows(page, 'Make a link')

  await choose(page, 'Role', role)
  await press(page, 'Make a link')
  await shows(page, 'It works once')
  return page.evaluate(() => document.querySelector('.one-time-link code')!.textContent, undefined)
}
