// How does a test use a page as a person does? By the names that the page shows, waiting for what is not there yet.

import type { TestPage } from '../../../browser/src/testing/browser-tests.ts'

interface Found {
  readonly textContent: string
  readonly id: string
  disabled?: boolean
  value: string
  getAttribute(name: string): string | null
  focus(): void
  click(): void
  closest(selector: string): Found | null
  querySelector(selector: string): Found | null
  dispatchEvent(event: object): boolean
}
// Of the page; the folder of the tests has no DOM types.
declare const document: {
  querySelectorAll(selector: string): Iterable<Found>
  readonly body: { readonly innerText: string }
}
declare const HTMLInputElement: { prototype: Found }
declare const HTMLTextAreaElement: { prototype: Found }
declare const Event: new (type: string, options: object) => object

/** Presses the last button, link, tab, option or menu item whose name begins with this. What follows from it is done afterwards. */
export async function press(page: TestPage, name: string, within = ''): Promise<void> {
  await find(page, name, within)
  const isPressed = () => page.evaluate(() => (globalThis as { pressed?: Promise<void> }).pressed, undefined)
  // A page that was left by the click cannot be read.
  await isPressed().catch(() => {})
}

const find = (page: TestPage, name: string, within: string): Promise<void> =>
  page.evaluate(
    async ([wanted, place]) => {
      const kinds = ['button', 'a', '[role=option]', '[role=menuitem]', '[role=tab]', '[role=radio]']
      for (let tries = 0; tries < 1_200; tries++) {
        const found = [...document.querySelectorAll(kinds.map((kind) => `${place} ${kind}`).join(','))].findLast(
          (each) =>
            !each.disabled &&
            (each.getAttribute('aria-label') ?? each.textContent).trim().replaceAll(/\s+/g, ' ').startsWith(wanted!),
        )
        // After the answer of this call: a click that leaves the page would take the answer with it.
        if (found) {
          const pressed = new Promise<void>((resolve) =>
            setTimeout(() => {
              resolve()
              found.click()
            }),
          )
          Object.assign(globalThis, { pressed })
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`nothing to press is called ${wanted} on: ${document.body.innerText}`)
    },
    [name, within],
  )

/** Types into the field with this label. */
export const fill = (page: TestPage, label: string, text: string): Promise<void> =>
  page.evaluate(
    async ([wanted, value]) => {
      for (let tries = 0; tries < 1_200; tries++) {
        const found = [...document.querySelectorAll('label')].findLast(({ textContent }) => textContent === wanted)
        const field = found?.closest('.field')?.querySelector('input, textarea')
        if (field) {
          field.focus()
          const kind = field.getAttribute('rows') === null ? HTMLInputElement : HTMLTextAreaElement
          Object.getOwnPropertyDescriptor(kind.prototype, 'value')!.set!.call(field, value)
          field.dispatchEvent(new Event('input', { bubbles: true }))
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no field is called ${wanted} on: ${document.body.innerText}`)
    },
    [label, text],
  )

/** Chooses from the list with this label. */
export async function choose(page: TestPage, label: string, option: string): Promise<void> {
  await page.evaluate(async (wanted) => {
    for (let tries = 0; tries < 1_200; tries++) {
      const found = [...document.querySelectorAll('.field > *')].findLast(({ textContent }) => textContent === wanted)
      const button = found?.closest('.field')?.querySelector('button')
      if (button) return button.click()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`no list is called ${wanted} on: ${document.body.innerText}`)
  }, label)
  await press(page, option)
}
