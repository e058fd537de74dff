import assert from 'node:assert/strict'
import { sessionOfPerson } from '@ringfence/server/admin/testing-person.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { axeSource, seriousFindings } from './testing/accessibility.ts'
import { press, shows, type, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

interface Element {
  readonly textContent: string
}
// Of the page; the folder of this file has no DOM types.
declare const document: {
  cookie: string
  readonly body: { readonly innerText: string }
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number }
  querySelectorAll(selector: string): Iterable<Element>
}

const service = serviceOfFile({
  edit: (parts) => ({ ...parts, channels: { mail: { type: 'outbox', recipient: 'EMAIL' } } as never }),
})

/** The page of an owner of a new tenant, who is signed in. */
async function open(t: Ending, browser: TestBrowser, path: string, prepare?: (tenantId: string) => Promise<unknown>) {
  const tenant = await service().parts.tenantKeyring.createTenant(`shop ${Math.random()}`)
  const token = await sessionOfPerson(service(), 'owner', tenant.id)
  await prepare?.(tenant.id)
  const page = await browser.open(t)
  await page.prepare(axeSource)
  // At localhost browsers accept secure cookies without TLS.
  const origin = service().url.replace('127.0.0.1', 'localhost')
  await page.goto(`${origin}/ready`)
  await page.evaluate((value) => {
    document.cookie = `__Host-ringfence=${value}; Path=/; Secure`
  }, token)
  await page.goto(`${origin}/console${path}`)
  return page
}

const textOf = (page: TestPage, selector: string) =>
  page.evaluate((wanted) => [...document.querySelectorAll(wanted)].map(({ textContent }) => textContent), selector)

/** Waits until the text is nowhere on the page. */
const hides = (page: TestPage, text: string) =>
  until(
    async () => !(await page.evaluate(() => document.body.innerText, undefined)).includes(text),
    `${text} is still shown`,
  )

async function hasNoSeriousFinding(page: TestPage): Promise<void> {
  assert.deepEqual(await seriousFindings(page), [])
}

/** Without that of the icon that a browser looks for beside /ready. */
const complaintsOf = ({ complaints }: TestPage) => complaints.filter((text) => !text.includes('404 (Not Found)'))

inEachBrowser((test) => {
  test('leads a new tenant from nothing to its first decision, which arrives automatically', async (t, browser) => {
    const page = await open(t, browser, '/start')
    await shows(page, 'Four steps to the first decision')
    await press(page, 'Make a key')
    await shows(page, 'Which backend uses it')
    await type(page, '.dialog input[type=text]', 'checkout')
    await press(page, 'Make the key')
    await shows(page, 'It is not shown again')
    const [clientId, clientSecret] = await textOf(page, '.shown-once dd code')
    await press(page, 'I have stored it')
    await shows(page, 'checkout')
    await hides(page, clientSecret!)

    await press(page, 'Create an app')
    await shows(page, 'Origins of the web site')
    await type(page, '.dialog input[type=text]', 'Shop')
    await typeArea(page, 'https://shop.example')
    await press(page, 'Create')
    await shows(page, 'rfa_')
    await shows(page, `export RINGFENCE_CLIENT_ID=${clientId}`)
    await hasNoSeriousFinding(page)

    await fetch(`${service().url}/v1/decisions`, {
      method: 'POST',
      headers: { clientid: clientId!, clientsecret: clientSecret!, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'LOGIN', userId: 'u-1001', phoneNumber: '917020141726' }),
    })
    await shows(page, 'See why')
    const links = await textOf(page, '.nav-link')
    assert.ok(!links.includes('Get started'), links.join())
    assert.deepEqual(complaintsOf(page), [])
  })

  test('rotates a key without a gap, and revokes it', async (t, browser) => {
    const page = await open(t, browser, '/apps', (tenantId) =>
      service().parts.clients.createClient(tenantId, 'reports'),
    )
    await shows(page, 'reports')
    await press(page, 'Change')
    await press(page, 'Rotate the secret')
    await press(page, 'Make a second secret')
    await press(page, 'I have stored it')
    await shows(page, 'Two secrets')
    await press(page, 'Change')
    await press(page, 'Revoke the older secret')
    await press(page, 'Revoke the older secret')
    await shows(page, 'Active')
    await press(page, 'Change')
    await press(page, 'Revoke the key')
    await shows(page, 'It was never used.')
    await press(page, 'Revoke the key')
    await shows(page, 'Revoked')
    await hasNoSeriousFinding(page)
    assert.deepEqual(complaintsOf(page), [])
  })

  test('adds a webhook, shows its secret once, pauses and removes it', async (t, browser) => {
    const page = await open(t, browser, '/webhooks')
    await shows(page, 'No webhooks yet')
    await press(page, 'Add a webhook')
    await shows(page, 'https, with a public IP address')
    await type(page, '.dialog input[inputmode=url]', 'https://shop.example/hooks')
    await press(page, 'Add')
    await shows(page, 'whsec_')
    await press(page, 'I have stored it')
    await shows(page, 'Active')
    await hides(page, 'whsec_')
    await press(page, 'Change')
    await press(page, 'Pause')
    await shows(page, 'Events wait until you resume it.')
    await press(page, 'Resume')
    await shows(page, 'Active')
    await hasNoSeriousFinding(page)
    await press(page, 'Change')
    await press(page, 'Remove')
    await shows(page, 'It cannot be undone')
    await press(page, 'Remove')
    await shows(page, 'No webhooks yet')
    assert.deepEqual(complaintsOf(page), [])
  })

  test('tests a channel, and lets the service check itself', async (t, browser) => {
    const page = await open(t, browser, '/sign-in')
    await shows(page, 'Sends nothing')
    await shows(page, 'Gateways do not say what a message costs')
    await press(page, 'Test')
    await shows(page, 'This channel sends nothing')
    await type(page, '.dialog input[type=email]', 'maya@shop.example')
    await press(page, 'Send')
    await shows(page, 'The gateway accepted it')
    await hasNoSeriousFinding(page)
    const system = await open(t, browser, '/system')
    await press(system, 'Check the service')
    await shows(system, 'need attention')
    await shows(system, 'BASE_URL is not set')
    await shows(system, 'Version 1')
    await hasNoSeriousFinding(system)
    assert.deepEqual([...complaintsOf(page), ...complaintsOf(system)], [])
  })
})

/** Sets the first text area of the dialog as the browser does. */
const typeArea = (page: TestPage, text: string) =>
  page.evaluate((value) => {
    const area = [...document.querySelectorAll('.dialog textarea')][0] as unknown as {
      focus(): void
      dispatchEvent(event: object): boolean
    }
    area.focus()
    const { prototype } = (globalThis as unknown as { HTMLTextAreaElement: { prototype: object } }).HTMLTextAreaElement
    Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(area, value)
    const { Event: New } = globalThis as unknown as { Event: new (type: string, options: object) => object }
    area.dispatchEvent(new New('input', { bubbles: true }))
  }, text)
