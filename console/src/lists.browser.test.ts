import assert from 'node:assert/strict'
import { consoleCookie } from '@ringfence/contract'
import { personWith, type TestPerson } from '@ringfence/server/admin/people/test-person.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { click, shows, type, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

interface Found {
  readonly textContent: string
  readonly disabled?: boolean
  files: unknown
  click(): void
  dispatchEvent(event: object): boolean
}
// Of the page; the folder of this file has no DOM types.
declare let document: {
  cookie: string
  querySelector(selector: string): Found | null
  querySelectorAll(selector: string): Iterable<Found>
  readonly documentElement: { readonly scrollHeight: number }
}
declare const scrollTo: (x: number, y: number) => void
declare const Event: new (type: string, options: object) => object
declare const DataTransfer: new () => { items: { add(file: object): void }; files: unknown }
declare const File: new (parts: string[], name: string) => object
declare const URL: { createObjectURL(blob: { text(): Promise<string> }): string }

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, { token }: TestPerson, path: string): Promise<TestPage> {
  const page = await browser.open(t)
  const url = service().url.replace('127.0.0.1', 'localhost')
  await page.goto(`${url}/ready`)
  await page.evaluate(
    ([name, value]) => {
      document.cookie = `${name}=${value}; Secure; Path=/`
    },
    [consoleCookie, token] as const,
  )
  await page.goto(`${url}/console${path}`)
  return page
}

/** Chooses a file in the open dialog, as its file field reports it. */
const choose = (page: TestPage, text: string) =>
  page.evaluate(async (contents) => {
    const field = document.querySelector('input[type=file]')!
    const files = new DataTransfer()
    files.items.add(new File([contents], 'numbers.csv'))
    field.files = files.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }, text)

async function newList({ call }: TestPerson, browser: TestBrowser): Promise<string> {
  const name = `numbers-${browser.name}-${++lists}`
  await call('createList', { name, kind: 'phoneNumber', purpose: 'block' })
  return name
}
let lists = 0

inEachBrowser((test) => {
  test('an import shows what it changes before it writes anything, and which lines are wrong', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Maya ${browser.name}`)
    const name = await newList(maya, browser)
    await maya.call('addListEntries', {
      name,
      entries: [{ value: '917020141726', note: 'SIM farm' }, { value: '917020141727' }],
    })
    const page = await open(t, browser, maya, `/lists/${name}`)
    await click(page, 'button', 'Import')
    await shows(page, 'Nothing is written before')
    const lines = [
      'value,expires,note',
      '+91 70201 41726,,SIM farm',
      '917020141727,,new note',
      '917020141728,,',
      '917020141728,,again',
      'nonsense,,',
    ]
    await choose(page, lines.join('\n'))
    await shows(page, 'Import 2 entries')
    await shows(page, '"nonsense" is not of this list')
    const counts = await page.evaluate(
      () => [...document.querySelectorAll('.import-counts dd')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.deepEqual(counts, ['1', '1', '1', '1', '1'], 'new, changed, there, repeated, malformed')
    assert.equal((await maya.call('readList', { name })).body.entries.length, 2, 'nothing is written yet')
    await click(page, '[role=dialog] button', 'Import 2 entries')
    await shows(page, '1 added, 1 changed')
    const { entries } = (await maya.call('readList', { name })).body
    assert.deepEqual(entries.map(({ value, note }: { value: string; note?: string }) => [value, note]).toSorted(), [
      ['917020141726', 'SIM farm'],
      ['917020141727', 'new note'],
      ['917020141728', 'again'],
    ])
  })

  test('a large file is imported in pieces, and a file that is too large is refused', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Tim ${browser.name}`)
    const name = await newList(maya, browser)
    const page = await open(t, browser, maya, `/lists/${name}`)
    await click(page, 'button', 'Import')
    await shows(page, 'Nothing is written before')
    await choose(page, '917020141728\n'.repeat(100_001))
    await shows(page, '100,001 lines')
    await choose(page, Array.from({ length: 2_345 }, (_, i) => String(917_020_000_000 + i)).join('\r\n'))
    await click(page, '[role=dialog] button', 'Import 2,345 entries')
    await shows(page, '2,345 added')
    assert.equal((await maya.call('describeLists', { name })).body.lists[0].entries, 2_345)
  })

  test('an entry is edited, and an export has no formula in it', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Ana ${browser.name}`)
    const name = await newList(maya, browser)
    await maya.call('addListEntries', {
      name,
      entries: [{ value: '917020141726', note: '=HYPERLINK("http://evil.example")' }],
    })
    const page = await open(t, browser, maya, `/lists/${name}`)
    await shows(page, '917020141726')
    await page.evaluate(() => {
      const make = URL.createObjectURL
      URL.createObjectURL = (blob) => {
        void blob.text().then((text) => Object.assign(globalThis, { saved: text }))
        return make(blob)
      }
    }, undefined)
    await click(page, 'button', 'Export')
    let saved = ''
    const isSaved = async () => {
      saved = await page.evaluate(() => (globalThis as { saved?: string }).saved ?? '', undefined)
      return saved !== ''
    }
    await until(isSaved, 'nothing is saved')
    assert.match(saved, /^value,expires,note,by,added\r\n917020141726,,"'=HYPERLINK\(""http/)
    await click(page, '.list-buttons button', 'Edit')
    await shows(page, 'Change an entry')
    await type(page, '.change-entry .field:nth-of-type(1) input', 'a farm')
    await type(page, '.change-entry input[type="datetime-local"]', '2037-01-31T12:00')
    await click(page, '[role=dialog] button', 'Save')
    await shows(page, 'a farm')
    const [entry] = (await maya.call('readList', { name })).body.entries
    assert.equal(entry.note, 'a farm')
    assert.match(entry.expiresAt, /^2037-01-3/)
  })

  test('a long list has the rows in view in the page, reads more at the end, and looks any value up', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Nora ${browser.name}`)
    const name = await newList(maya, browser)
    const numbers = Array.from({ length: 1_200 }, (_, index) => String(917_020_140_000 + index))
    for (let done = 0; done < numbers.length; done += 400)
      await maya.call('addListEntries', {
        name,
        entries: numbers.slice(done, done + 400).map((value) => ({ value })),
      })
    const { entries, next } = (await maya.call('readList', { name, limit: 500 })).body
    assert.ok(next, 'the list has several pages')
    const page = await open(t, browser, maya, `/lists/${name}`)
    await shows(page, entries[0].value)
    const all: string[] = []
    for (let cursor: string | undefined; ; ) {
      const read = (await maya.call('readList', { name, limit: 500, ...(cursor && { cursor }) })).body
      all.push(...read.entries.map(({ value }: { value: string }) => value))
      cursor = read.next
      if (!cursor) break
    }
    let most = 0
    const isAtEnd = async () => {
      const rows = await page.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight)
        return [...document.querySelectorAll('tbody tr code')].map(({ textContent }) => textContent)
      }, undefined)
      most = Math.max(most, rows.length)
      return rows.at(-1) === all.at(-1)
    }
    await until(isAtEnd, 'the end of the list is not reached by scrolling')
    assert.ok(most > 5 && most < 100, `${most} rows are in the page`)
    await type(page, '.look-up input', numbers[777]!)
    await click(page, '.look-up button', 'Look up')
    await shows(page, `${numbers[777]} is in the list`)
  })
})
