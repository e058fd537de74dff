import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { axeSource, seriousFindings } from './testing/accessibility.ts'
import { type Answers, allPermissions, answering, signedIn } from './testing/answered-calls.ts'
import { click, press, shows } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'
import { deviceId, shownDevice, shownVisits } from './testing/shown-device.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelector(selector: string): { focus(): void; getAttribute(name: string): string } | null
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>
  readonly activeElement: { getAttribute(name: string): string | null } | null
}
declare const location: { readonly href: string }

const usual = {
  me: signedIn(),
  readDevice: shownDevice,
  listDeviceVisits: shownVisits,
  describeLists: { lists: [] },
  forgetDevice: { installations: 2, visits: 3, labels: 1, accounts: 1 },
} satisfies Answers

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, answers: Answers = usual): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.prepare(axeSource)
  await page.goto(`${service().url}/console/devices/${deviceId}`)
  return page
}

inEachBrowser((test) => {
  test('shows what changed at each visit, how the device was recognised, and what is not known', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Chrome 141 on Windows 11')
    for (const text of ['Pune → Paris', 'u-1001 → u-7745', 'Proved its key, 99.9% sure']) await shows(page, text)
    await shows(page, 'Resembles the device, 87% sure, its token was copied')
    await shows(page, 'Nothing changed since the visit before.')
    await shows(page, 'The report has expired. What changed is not known.')
    await shows(page, '1 more account of the last 28 days: not known here')
    await shows(page, 'Different values of params.card within 24h')
    assert.deepEqual(page.complaints, [])
  })

  test('draws places on a map that is loaded only there, and lists them', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Pune, India')
    const drawn = await page.evaluate(
      () => [
        [...document.querySelectorAll('.map-spot')].length,
        document.querySelector('.map-land')!.getAttribute('d'),
      ],
      undefined,
    )
    assert.equal(drawn[0], 2)
    assert.ok(String(drawn[1]).length > 10_000)
    assert.deepEqual(page.complaints, [])
  })

  test('links each account by its fragment, from the drawing too', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'u-7745')
    const links = await page.evaluate(
      () =>
        [...document.querySelectorAll('.graph-node')].map((node) =>
          (node as unknown as { getAttribute(name: string): string }).getAttribute('href'),
        ),
      undefined,
    )
    assert.deepEqual(links.slice(0, 2), ['/console/user#u-1001', '/console/user#u-7745'])
    assert.ok(links[2]!.includes('#') && !links[2]!.split('#')[0]!.includes('917020141726'), links[2]!)
    await click(page, '.link-table a[href$="u-1001"]')
    await page.isAt('/console/user#u-1001')
    assert.ok((await page.evaluate(() => location.href, undefined)).endsWith('/console/user#u-1001'))
  })

  test('forgets a device only after a confirmation', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Forget')
    await press(page, 'Forget')
    await shows(page, 'Nobody can bring it back.')
    const sent = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as { calls: { path: string }[] }).calls.filter(({ path }) => path.endsWith('/forget'))
            .length,
        undefined,
      )
    assert.equal(await sent(), 0)
    await press(page, 'Forget the device')
    await shows(page, 'The device is forgotten')
    assert.equal(await sent(), 1)
    assert.deepEqual(page.complaints, [])
  })

  test('offers no change to who may only read, and shows stored texts as texts', async (t, browser) => {
    const hostile = '<img src=x onerror="globalThis.stolen=1">'
    const me = signedIn(allPermissions.filter((permission) => permission.endsWith('.read')))
    const accounts = [{ ...shownDevice.accounts[0]!, userId: hostile }]
    const visits = shownVisits.visits.map((visit) => ({ ...visit, network: hostile, rules: [hostile] }))
    const page = await open(t, browser, {
      ...usual,
      me,
      readDevice: { ...shownDevice, accounts },
      listDeviceVisits: { visits },
    })
    await shows(page, hostile)
    const buttons = await page.evaluate(
      () => [...document.querySelectorAll('.page-actions button')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.deepEqual(buttons, [])
    const stolen = await page.evaluate(() => (globalThis as { stolen?: number }).stolen ?? 'nothing', undefined)
    assert.equal(stolen, 'nothing')
    assert.deepEqual(page.complaints, [])
  })

  test('has no serious finding of axe', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Pune, India')
    assert.deepEqual(await seriousFindings(page), [])
  })
})
