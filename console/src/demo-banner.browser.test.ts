import assert from 'node:assert/strict'
import { inEachBrowser } from '../../browser/src/testing/browser-tests.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, allPermissions, answering, signedIn } from './testing/answered-calls.ts'
import { press, shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  readonly body: { readonly innerText: string }
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>
}
declare const calls: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[]

const places = { tenantId: 't-demo', madeFor: 't-1' }
const made: AnswerOf<'readDemo'> = {
  state: 'made',
  ...places,
  progress: 1,
  people: 146,
  sessions: 793,
  decisions: 1143,
}

const owner = (permissions = allPermissions): AnswerOf<'me'> => ({
  ...signedIn(permissions),
  tenants: [
    { tenantId: 't-1', name: 'Shop', role: 'owner' },
    { tenantId: 't-demo', name: 'demo', role: 'owner' },
  ],
})

/** The service answers for the tenant of the call, and after the removal as if there had been no demo. */
const twoTenants = (me: AnswerOf<'me'>) => `
  const answered = globalThis.fetch
  let isRemoved = false
  globalThis.fetch = async (url, init) => {
    const answer = await answered(url, init)
    const { pathname } = new URL(url, location.href)
    isRemoved ||= pathname === '/admin/v1/demo/remove'
    const isDemo = init.headers['x-ringfence-tenant'] === 't-demo'
    if (pathname === '/admin/v1/demo' && isRemoved) return Response.json(${JSON.stringify({ ...made, tenantId: undefined, state: 'removed' })})
    if (pathname !== '/admin/v1/me') return answer
    if (isDemo && isRemoved) return Response.json({ type: '/problems/tenant-unknown', title: 'Not Found', status: 404, detail: 'No role there', requestId: 'r-2' }, { status: 404 })
    return Response.json({ ...${JSON.stringify(me)}, ...(isDemo && { tenant: { tenantId: 't-demo', name: 'demo' } }) })
  }`

const service = serviceOfFile()

inEachBrowser((test) => {
  test('the own tenant leads to the demo until the first decision; the demo says what it is, leads back, and is removed there', async (t, browser) => {
    const page = await browser.open(t)
    const answers: Answers = { me: owner(), readDemo: made, removeDemo: made, searchEvents: { events: [] } }
    await page.prepare(`${answering(answers)};${twoTenants(owner())}`)
    await page.goto(`${service().url}/console/account`)
    const text = () => page.evaluate(() => document.body.innerText, undefined)
    await press(page, 'Open the demo')
    await shows(page, 'Back to Shop')
    await shows(page, '1,143 decisions about 146 made-up people')
    await press(page, 'Back to Shop')
    await shows(page, 'Open the demo')
    assert.ok(!(await text()).includes('Remove demo data'), 'only in the demo')
    await press(page, 'Open the demo')
    const removals = () =>
      page.evaluate(
        () =>
          calls
            .filter(({ path }) => path === '/admin/v1/demo/remove')
            .map(({ headers }) => headers['x-ringfence-tenant']),
        undefined,
      )
    await press(page, 'Remove demo data')
    await shows(page, 'Your own tenant stays as it is.')
    assert.deepEqual(await removals(), [])
    await press(page, 'Remove demo data')
    await until(async () => !(await text()).includes('made-up people'), 'the demo is shown')
    await shows(page, 'Shop')
    assert.deepEqual(await removals(), ['t-1'])
  })

  test('a tenant that is gone since it was chosen gives way to the first one', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`${answering({ me: owner() })};${twoTenants(owner())};
      fetch('/admin/v1/demo/remove', { method: 'POST', headers: {} }); sessionStorage.setItem('ringfence-tenant', 't-demo')`)
    await page.goto(`${service().url}/console/account`)
    await shows(page, 'Maya Rao')
  })

  test('who may not remove the demo has no button, and sees how far it is', async (t, browser) => {
    const page = await browser.open(t)
    const me = owner(allPermissions.filter((name) => name !== 'demo.remove'))
    const readDemo: AnswerOf<'readDemo'> = { ...made, state: 'making', progress: 0.4, decisions: 400 }
    await page.prepare(`${answering({ me, readDemo, searchEvents: { events: [] } })};${twoTenants(me)}`)
    await page.goto(`${service().url}/console/account`)
    await press(page, 'Open the demo')
    await shows(page, 'Back to Shop')
    await shows(page, 'A month of it is being made: 400 decisions so far.')
    const buttons = await page.evaluate(
      () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.ok(!buttons.includes('Remove demo data'))
  })
})
