import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, answering, signedIn } from './testing/answered-calls.ts'
import { click, shows, type, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>
}

type Person = AnswerOf<'listPeople'>['people'][number]

const hostile = '<img src=x onerror="globalThis.stolen=1">'
const person = (personId: string, name: string, others: Partial<Person> = {}): Person => ({
  ...{ personId, name, email: `${personId}@shop.example`, role: 'analyst', version: 3, state: 'active', isYou: false },
  secondFactors: { authenticatorApp: true, recoveryCodes: 8, passkeys: 0 },
  joinedAt: '2026-11-01T09:00:00.000Z',
  ...others,
})
const invitation = {
  ...{ invitationId: 'i-1', role: 'support', email: 'ana@shop.example', invitedBy: 'Maya Rao' },
  ...{ createdAt: '2026-11-23T09:00:00.000Z', expiresAt: '2026-11-24T09:00:00.000Z' },
}
const usual = {
  me: { ...signedIn(), role: 'owner' },
  listPeople: {
    people: [
      person('maya', 'Maya Rao', { role: 'owner', isYou: true }),
      person('tim', `Tim ${hostile}`, { secondFactors: { authenticatorApp: true, recoveryCodes: 1, passkeys: 2 } }),
      person('ola', 'Ola', {
        state: 'resetPending',
        secondFactors: { authenticatorApp: false, recoveryCodes: 0, passkeys: 0 },
      }),
    ],
  },
  listInvitations: { invitations: [invitation] },
  invite: { url: 'https://fraud.example/console/welcome#rfl_once', invitation },
  changeRole: { personId: 'tim', role: 'analyst', version: 4 },
  removePerson: { personId: 'tim', removed: true },
} satisfies Answers

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, answers: Answers = usual, path = '/people'): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.goto(`${service().url}/console${path}`)
  return page
}

const sent = (page: TestPage, path: string) =>
  page.evaluate((wanted) => {
    const { calls } = globalThis as unknown as {
      calls: { path: string; headers: Record<string, string>; body?: object }[]
    }
    const call = calls.find((each) => each.path === wanted)
    return call && { body: call.body, version: call.headers['if-match'] }
  }, path)

inEachBrowser((test) => {
  test('lists people and open links, with names as texts', async (t, browser) => {
    const page = await open(t, browser)
    for (const text of [
      `Tim ${hostile}`,
      '1 recovery code left',
      '2 passkeys',
      'Reset pending',
      'ana@shop.example',
      'You',
    ])
      await shows(page, text)
    const stolen = await page.evaluate(() => (globalThis as { stolen?: number }).stolen ?? 'nothing', undefined)
    assert.equal(stolen, 'nothing')
    assert.deepEqual(page.complaints, [])
  })

  test('shows a new link once, in its dialog', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Ola')
    await click(page, '.page-actions button', 'Invite')
    await shows(page, 'Invite somebody')
    await click(page, '.dialog button', 'Make a link')
    await shows(page, 'rfl_once')
    assert.deepEqual((await sent(page, '/admin/v1/invitations/create'))?.body, { role: 'analyst' })
    await click(page, '.dialog button', 'Done')
    const isLeft = () =>
      page.evaluate(
        () => [...document.querySelectorAll('body')].some(({ textContent }) => textContent.includes('rfl_once')),
        undefined,
      )
    await until(async () => !(await isLeft()), 'the link is still there')
  })

  test('removes a person only after a question, with the version that was read', async (t, browser) => {
    const page = await open(t, browser)
    await shows(page, 'Ola')
    await click(page, 'tbody tr:nth-child(2) .row-action button')
    await shows(page, 'Change role')
    await click(page, '[role=menuitem]', 'Remove')
    await shows(page, 'They lose access at once')
    assert.equal(await sent(page, '/admin/v1/people/tim/remove'), undefined)
    await click(page, '.dialog button', 'Remove')
    const removal = () => sent(page, '/admin/v1/people/tim/remove')
    await until(async () => (await removal()) !== undefined, 'nobody is removed')
    assert.deepEqual(await removal(), { body: {}, version: '"3"' })
  })

  test('offers no change to a role that may only read', async (t, browser) => {
    const page = await open(t, browser, { ...usual, me: signedIn(['people.read']) })
    await shows(page, 'Ola')
    const buttons = await page.evaluate(
      () => [...document.querySelectorAll('.page-actions button, .row-action button')].length,
      undefined,
    )
    assert.equal(buttons, 0)
  })

  test('shows new recovery codes after the password and a code', async (t, browser) => {
    const recoveryCodes = ['aaaaa-bbbbb', 'ccccc-ddddd']
    const page = await open(
      t,
      browser,
      {
        ...usual,
        listSessions: { sessions: [] },
        readFactors: { authenticatorApp: true, recoveryCodes: 2 },
        renewRecoveryCodes: { recoveryCodes },
      },
      '/account',
    )
    await shows(page, 'Recovery codes left')
    await click(page, '.factor-actions button', 'New recovery codes')
    await shows(page, 'Present password')
    await type(page, '.dialog input[type=password]', 'a long sentence')
    await type(page, '.dialog input[autocomplete=one-time-code]', '123456')
    await click(page, '.dialog button', 'Replace the codes')
    await shows(page, 'ccccc-ddddd')
    const { body } = (await sent(page, '/admin/v1/account/recovery-codes'))!
    assert.deepEqual(body, { password: 'a long sentence', code: '123456' })
    assert.deepEqual(page.complaints, [])
  })
})
