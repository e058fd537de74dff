// What do tests do in a page? They wait for a text, and type into fields as a person would.

import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { TestPage } from '../../../browser/src/testing/browser-tests.ts'

interface Field {
  value: string
  focus(): void
  dispatchEvent(event: object): boolean
  getBoundingClientRect(): { readonly top: number }
}
interface Clickable {
  readonly textContent: string
  readonly disabled?: boolean
  querySelector(selector: 'input'): Clickable | null
  click(): void
}
// Of the page; the folder of the tests has no DOM types.
declare const document: {
  readonly body: { readonly innerText: string } | null
  querySelector(selector: string): Field | null
  querySelectorAll(selector: string): Iterable<Clickable>
}
declare const Event: new (type: string, options: object) => object
declare const requestAnimationFrame: (next: () => void) => void

/** What a page has not done then, it will not do: a busy machine needs seconds for what is done at once. */
const hangsAfterMs = 60_000

/** Waits until it holds, a minute at most. */
export async function until(holds: () => Promise<boolean>, what: string | (() => string)): Promise<void> {
  for (const giveUpAt = performance.now() + hangsAfterMs; performance.now() < giveUpAt; await after(50))
    if (await holds()) return
  assert.fail(typeof what === 'string' ? what : what())
}

/** Waits until the page shows the text, also over a navigation. */
export async function shows(page: TestPage, text: string): Promise<void> {
  let shown = ''
  const isShown = async () => {
    // A page that is being left cannot be read.
    shown = await page.evaluate(() => document.body?.innerText ?? '', undefined).catch(() => shown)
    return shown.includes(text)
  }
  await until(isShown, () => `does not show ${JSON.stringify(text)} but ${shown}`)
}

/** Waits until the page does not scroll any more: that closes what is open. */
export const standsStill = (page: TestPage, selector: string) =>
  until(
    () =>
      page.evaluate(async (wanted) => {
        const place = () => document.querySelector(wanted)?.getBoundingClientRect().top
        const before = place()
        for (let frames = 0; frames < 30; frames++) await new Promise<void>(requestAnimationFrame)
        return place() === before
      }, selector),
    `${selector} does not stand still`,
  )

/** Sets the value of a field, once it is there, as the browser does, so that React notices. */
export const type = (page: TestPage, selector: string, text: string) =>
  page.evaluate(
    async ([wanted, value]) => {
      let field = document.querySelector(wanted!)
      for (let tries = 0; !field && tries < 1_200; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        field = document.querySelector(wanted!)
      }
      if (!field) throw new Error(`no field ${wanted}`)
      field.focus()
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    },
    [selector, text],
  )

/** The bytes of a base32 text (RFC 4648), as authenticator apps read it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * Clicks the last enabled element that contains this text, once it is there, as a person would: a dialog is after the page under it.
 * A label stands for its check box.
 */
export const click = (page: TestPage, selector: string, text = ''): Promise<void> =>
  clickLast(page, selector, text, false)

/** The same for a button, a link or a menu item that has this text and no other. */
export const press = (page: TestPage, text: string): Promise<void> =>
  clickLast(page, 'button, a, [role=menuitem]', text, true)

const clickLast = (page: TestPage, selector: string, text: string, isWhole: boolean): Promise<void> =>
  page.evaluate(
    async ({ wanted, words, whole }) => {
      for (let tries = 0; tries < 1_200; tries++) {
        const found = [...document.querySelectorAll(wanted)].findLast(({ textContent }) =>
          whole ? textContent === words : textContent.includes(words),
        )
        if (found && !found.disabled) return (found.querySelector('input') ?? found).click()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no ${wanted} with ${words}`)
    },
    { wanted: selector, words: text, whole: isWhole },
  )
