import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { type Answers, answering, signedIn } from './testing/answered-calls.ts'
import { press } from './testing/as-a-person.ts'
import { shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
}
// Of the page; the folder of this file has no DOM types.
declare const document: {
  readonly activeElement: { matches(selector: string): boolean } | null
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string; getBoundingClientRect(): Box }>
}

const service = serviceOfFile()

const signIn = {
  channels: [{ name: 'mail', type: 'outbox', method: 'EMAIL', form: 'message', recipient: 'EMAIL', sends: false }],
  ...{ limits: [], apps: [], outbox: 'closed' },
} satisfies Answers['readSignIn']

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering({ me: { ...signedIn(), role: 'owner' }, ...answers }))
  await page.goto(`${service().url}/console${path}`)
  return page
}

/** Where the button is now, once the error below its field has moved it; `edge`: which one the pointer is near. */
async function near(page: TestPage, edge: 'top' | 'bottom', text: string): Promise<[number, number]> {
  const { top, bottom, left } = await page.evaluate((wanted) => {
    const buttons = [...document.querySelectorAll('.dialog footer button')]
    const { top, bottom, left } = buttons.find(({ textContent }) => textContent === wanted)!.getBoundingClientRect()
    return { top, bottom, left }
  }, text)
  return [left + 8, edge === 'top' ? top + 4 : bottom - 4]
}

const sentBodies = (page: TestPage, path: string) =>
  page.evaluate((wanted) => {
    const { calls } = globalThis as unknown as { calls: { path: string; method: string; body?: unknown }[] }
    return calls.filter((each) => each.path === wanted && each.method === 'POST').map(({ body }) => body)
  }, path)

const counted = async (page: TestPage, selector: string, wanted: number) => {
  let count = -1
  const isCounted = async () => {
    count = await page.evaluate((each) => [...document.querySelectorAll(each)].length, selector)
    return count === wanted
  }
  await until(isCounted, () => `${count} of ${selector}, not ${wanted}`)
}

/** The field takes what is written. It gets the focus a frame after it appears, or after its error does. */
const hasFocus = (page: TestPage) =>
  until(
    () => page.evaluate(() => document.activeElement?.matches('.dialog input') ?? false, undefined),
    'no field of the dialog has the focus',
  )

inEachBrowser((test) => {
  test('the first click on the button sends the form, after a mistake in a field was corrected', async (t, browser) => {
    const page = await open(t, browser, '/lists', {
      describeLists: { lists: [] },
      createList: { name: 'vips' } as never,
    })
    await press(page, 'New list')
    await counted(page, '.dialog footer button', 2)
    await page.clickAt(...(await near(page, 'bottom', 'Create')))
    await counted(page, '.dialog .field-error', 1)
    await hasFocus(page)
    await page.write('vips')
    await page.clickAt(...(await near(page, 'bottom', 'Create')))
    await counted(page, '.dialog', 0)
    assert.equal((await sentBodies(page, '/v1/lists/create')).length, 1)
  })

  test('the first click on a button counts, also when a mistake is found at that moment', async (t, browser) => {
    const page = await open(t, browser, '/sign-in', { readSignIn: signIn })
    await shows(page, 'mail')
    await press(page, 'Test')
    await counted(page, '.dialog footer button', 2)
    await hasFocus(page)
    await page.write('maya')
    await page.clickAt(...(await near(page, 'top', 'Close')))
    await counted(page, '.dialog', 0)
  })

  test('what is wrong with a field appears after the click, and goes after it', async (t, browser) => {
    const page = await open(t, browser, '/sign-in', { readSignIn: signIn })
    await press(page, 'Test')
    await counted(page, '.dialog footer button', 2)
    await hasFocus(page)
    await page.write('maya')
    await page.clickAt(...(await near(page, 'top', 'Send')))
    await counted(page, '.dialog .field-error', 1)
    await hasFocus(page)
    await page.write('@shop.example')
    await page.clickAt(...(await near(page, 'bottom', 'Send')))
    await counted(page, '.dialog .field-error', 0)
  })

  test('says in a dialog in one line what the service refused, and leaves what was typed', async (t, browser) => {
    const page = await open(t, browser, '/lists', { describeLists: { lists: [] } })
    await press(page, 'New list')
    await counted(page, '.dialog footer button', 2)
    await hasFocus(page)
    await page.write('vips')
    await page.clickAt(...(await near(page, 'bottom', 'Create')))
    await shows(page, 'Your role does not allow this. Ask an owner')
    await counted(page, '.dialog [role=alert]', 1)
    const { height, typed } = await page.evaluate(() => {
      const [error] = document.querySelectorAll('.dialog [role=alert]')
      const [field] = document.querySelectorAll('.dialog input')
      const { top, bottom } = error!.getBoundingClientRect()
      return { height: bottom - top, typed: (field as unknown as { value: string }).value }
    }, undefined)
    assert.ok(height < 80, `${height} px`)
    assert.equal(typed, 'vips')
  })

  test('a dialog is never higher than the window: it scrolls, with its title and its buttons in sight', async (t, browser) => {
    const page = await open(t, browser, '/live', { listApps: { apps: [] } })
    await press(page, 'Try a decision')
    await shows(page, 'A real decision with your rules')
    const outside = () =>
      page.evaluate(() => {
        const { innerHeight } = globalThis as unknown as { innerHeight: number }
        return [...document.querySelectorAll('.modal, .dialog > header, .dialog footer button')]
          .filter((each) => {
            const { top, bottom } = each.getBoundingClientRect()
            return top < 0 || bottom > innerHeight
          })
          .map(({ textContent }) => textContent.slice(0, 30))
      }, undefined)
    const fits = () => until(async () => (await outside()).length === 0, 'a part is out of sight')
    await fits()
    // Every dialog is this one, with other contents: here with more than any window has room for.
    await page.evaluate(() => {
      const [lead] = [...document.querySelectorAll('.dialog form > p')] as unknown as [{ style: { height: string } }]
      lead.style.height = '3000px'
    }, undefined)
    await fits()
  })
})
