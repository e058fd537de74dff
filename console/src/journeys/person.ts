// How does somebody get into the console? For the first time by a one-time link; later with a password and an authenticator app.

import { codeOf } from '@ringfence/server/admin/people/totp.ts'
import type { TestBrowser, TestPage } from '../../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../../scripts/browsers.ts'
import { choose, fill, press } from '../testing/as-a-person.ts'
import { click, fromBase32, shows } from '../testing/in-the-page.ts'

declare const document: { querySelector(selector: string): { readonly textContent: string } | null }

const password = 'blue harbour with seven boats'
const emailOf = (name: string) => `${name.toLowerCase()}@shop.example`

/** Opens the link in a browser without cookies, and makes the account. @returns the page, where the console begins */
export const comeIn = async (t: Ending, browser: TestBrowser, link: string, name: string): Promise<TestPage> =>
  (await join(t, browser, link, { name, now: Date.now })).page

interface Newcomer {
  readonly name: string
  /** The clock of the service, which says which code is right. */
  readonly now: () => number
}

/** As `comeIn`. @returns also how the person signs in again where a page asks for it, once the code is another one */
export async function join(t: Ending, browser: TestBrowser, link: string, { name, now }: Newcomer) {
  const page = await browser.open(t)
  await page.goto(link)
  await shows(page, 'Code of the authenticator app')
  const secret = await page.evaluate(() => document.querySelector('.second-factor .copy code')!.textContent, undefined)
  const code = () => codeOf(fromBase32(secret), Math.floor(now() / 30_000))
  await fill(page, 'Your name', name)
  await fill(page, 'Email address', emailOf(name))
  await fill(page, 'Password', password)
  await fill(page, 'Code of the authenticator app', code())
  await press(page, 'Create the account')
  await press(page, 'I have stored them')
  await shows(page, 'Skip to the page')
  const signIn = async () => {
    await fill(page, 'Email address', emailOf(name))
    await fill(page, 'Password', password)
    await click(page, '.entry [type=submit]')
    await fill(page, 'Code of your authenticator app', code())
    await click(page, '.entry [type=submit]')
  }
  return { page, signIn }
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
