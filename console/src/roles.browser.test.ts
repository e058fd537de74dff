import assert from 'node:assert/strict'
import { join } from '@ringfence/server/admin/people/testing.ts'
import { inEachBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import { click, shows, type, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

declare const document: { querySelectorAll(selector: string): Iterable<object> }

const service = serviceOfFile()

/** Signs in with a call of the page itself, which gets the cookie. */
async function signInAt(page: TestPage, path: string, email: string): Promise<void> {
  const person = { name: 'Maya', email, password: 'correct horse battery staple' }
  const { code } = await join(service(), 'owner', person)
  const { password } = person
  const origin = service().url.replace('127.0.0.1', 'localhost')
  await page.goto(`${origin}/console`)
  await shows(page, 'Password')
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/admin/v1/sign-in', { method: 'POST', headers, body })).status
    },
    JSON.stringify({ email, password, code: code() }),
  )
  assert.equal(status, 200)
  await page.goto(`${origin}/console${path}`)
}

/** Ticks what is beside this text. */
const tick = (page: TestPage, text: string) => click(page, '.role-permissions label', text)

const count = (page: TestPage, selector: string) =>
  page.evaluate((wanted) => [...document.querySelectorAll(wanted)].length, selector)

inEachBrowser((test) => {
  test('an owner makes a role from permissions, offers it to somebody, and changes it', async (t, browser) => {
    const page = await browser.open(t)
    const name = `lead-${browser.name.toLowerCase()}`
    await signInAt(page, '/people/roles', `${name}@shop.example`)
    await shows(page, 'Search events, and read decisions and device reports')
    assert.equal(await count(page, '.roles thead th:nth-child(-n+6) button'), 0, 'built-in roles have no menu')
    await click(page, '.page-actions button', 'New role')
    await shows(page, 'Lower-case letters')
    await type(page, '.dialog input[maxlength="32"]', name)
    await type(page, '.dialog input[maxlength="200"]', 'Leads the team')
    await tick(page, 'List the review queue')
    await click(page, '.dialog button', 'Make the role')
    await shows(page, `${name}\n`)
    await click(page, '.page-tabs a', 'People')
    await shows(page, 'Last sign-in')
    await click(page, '.page-actions button', 'Invite')
    await shows(page, 'Invite somebody')
    await click(page, '.dialog .select', '')
    await shows(page, `${name}: Leads the team`)
    await click(page, '[role=option]', name)
    await click(page, '.dialog button[type=submit]', 'Make a link')
    await shows(page, 'It works once')
    await click(page, '.dialog button', 'Done')

    await click(page, '.page-tabs a', 'Roles')
    await shows(page, 'Built-in roles stay as they are')
    await click(page, '.roles thead th:last-child button', '')
    await shows(page, 'Edit')
    await click(page, '[role=menuitem]', 'Remove')
    await shows(page, `Remove the role ${name}?`)
    await click(page, '.dialog button.danger', 'Remove')
    await shows(page, '1 open invitation')
    await click(page, '.dialog button', 'Cancel')
    await click(page, '.roles thead th:last-child button', '')
    await shows(page, 'Edit')
    await click(page, '[role=menuitem]', 'Edit')
    await shows(page, 'It holds at once')
    await tick(page, 'List the people')
    await click(page, '.dialog button', 'Save')
    const owner = { name: 'T', email: `t@${name}.example`, password: 'another long sentence' }
    const { call } = (await join(service(), 'owner', owner)).browser
    const madeRole = async () =>
      (await call('listRoles')).body.roles.find((each: { name: string }) => each.name === name)
    await until(async () => (await madeRole()).permissions.length === 2, 'the role has the other permission')
    const made = await madeRole()
    assert.deepEqual(made.permissions, ['reviews.read', 'people.read'])
    assert.equal(made.description, 'Leads the team')
    const others = page.complaints.filter((text) => !text.startsWith('Failed to load resource'))
    assert.deepEqual(others, [])
  })
})
