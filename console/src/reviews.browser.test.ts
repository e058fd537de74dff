import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { personWith, type TestPerson } from '@ringfence/server/admin/people/test-person.ts'
import { decisionCalls } from '@ringfence/server/decisions/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { undoMs } from './pages/reviews/undo-time.ts'
import { click, shows, type, until } from './testing/in-the-page.ts'

// Of the page; the folder of this file has no DOM types.
declare let document: {
  cookie: string
  readonly activeElement: { readonly tagName: string } | null
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string; click(): void }>
  dispatchEvent(event: object): boolean
}
declare const KeyboardEvent: new (type: string, options: object) => object

const rules = [{ id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 }]

let service: TestService
let decide: (userId: string, amount?: number, more?: object) => Promise<string>
const ends: (() => Promise<unknown>)[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  service = await startTestService(t as never, await sqliteDatabases.open(t as never), {
    settings: { publicRatePerSecond: 10_000 },
  })
  const calls = decisionCalls(service)
  await calls.publish(rules as never)
  decide = async (userId, amount = 1500, more = {}) => {
    service.clock.advance({ seconds: 1 })
    return (await calls.decide({ action: 'PAYMENT', userId, params: { amount }, ...more })).body.decisionId
  }
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

/** In the page, the time to undo a decision ends when the test says so. */
const undoByTest = `{
  const [later, never, held] = [setTimeout, clearTimeout, new Map()]
  globalThis.setTimeout = (work, ms, ...more) =>
    ms === ${undoMs} ? -held.set(-held.size - 1, work).size : later(work, ms, ...more)
  globalThis.clearTimeout = (timer) => void (held.has(timer) ? held.set(timer, undefined) : never(timer))
  globalThis.endUndo = () => {
    const due = [...held].filter(([, work]) => work)
    for (const [timer, work] of due) {
      held.set(timer, undefined)
      work()
    }
    return due.length
  }
}`

/** Nothing that was decided can be undone any more. Waits for a decision. */
const endUndo = (page: TestPage) =>
  until(
    () => page.evaluate(() => (globalThis as unknown as { endUndo(): number }).endUndo() > 0, undefined),
    'nothing can be undone',
  )

async function open(t: Ending, browser: TestBrowser, { token }: TestPerson, path: string): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(undoByTest)
  const url = service.url.replace('127.0.0.1', 'localhost')
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

const press = (page: TestPage, ...keys: string[]) =>
  page.evaluate((pressed) => {
    for (const key of pressed)
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }, keys)

/** Three people, and a queue of their own. Sessions would end between the tests. */
async function team(): Promise<{ maya: TestPerson; tim: TestPerson; ravi: TestPerson }> {
  const number = String(++teams)
  const maya = await personWith(service, 'analyst', `Maya ${number}`)
  const { body } = await maya.call('listReviews', { limit: 100 })
  for (const { decisionId, assignee } of body.reviews) {
    const insteadOf = assignee && { insteadOf: assignee.personId }
    await maya.call('assignReview', { decisionId, personId: maya.personId, ...insteadOf })
    await maya.call('resolveReview', { decisionId, outcome: 'approved' })
  }
  return {
    maya,
    tim: await personWith(service, 'analyst', `Tim ${number}`),
    ravi: await personWith(service, 'owner', `Ravi ${number}`),
  }
}
let teams = 0

/** The review, once it is not open: the desk sends a decision when it cannot be undone any more. */
async function resolvedOf({ call }: TestPerson, decisionId: string) {
  const read = async () => (await call('readReview', { decisionId })).body
  await until(async () => (await read()).state !== 'open', `${decisionId} is not resolved`)
  return read()
}

const leaveField = (page: TestPage) =>
  page.evaluate(() => (document.activeElement as unknown as { blur(): void }).blur(), undefined)

/** Waits until the field has this value. */
async function has(page: TestPage, selector: string, value: string): Promise<void> {
  let found: string | undefined
  const isIt = async () => {
    found = await page.evaluate(
      (wanted) => [...document.querySelectorAll(wanted)].map((each) => (each as unknown as { value: string }).value)[0],
      selector,
    )
    return found === value
  }
  await until(isIt, () => `${selector} has ${JSON.stringify(found)}`)
}

/** The page before has no icon. */
const mistakes = ({ complaints }: TestPage) => complaints.filter((each) => !each.includes('404 (Not Found)'))

inEachBrowser((test) => {
  test('an analyst works through the queue by keyboard: takes one, comments, decides, and the next one opens', async (t, browser) => {
    const { maya, tim } = await team()
    const [first, second] = [await decide('u-first'), await decide('u-second')]
    const page = await open(t, browser, maya, '/reviews')
    await shows(page, 'u-second')
    await press(page, 'j')
    await page.isAt(`/console/reviews?decisionId=${first}`)
    await shows(page, 'Take it')
    await shows(page, 'Due')
    await press(page, 'i')
    await shows(page, 'Release')
    const { assignee } = (await tim.call('readReview', { decisionId: first })).body
    assert.equal(assignee.personId, maya.personId)
    await press(page, 'c')
    const focused = () => page.evaluate(() => document.activeElement?.tagName, undefined)
    await until(async () => (await focused()) === 'TEXTAREA', 'the comment has no focus')
    await type(page, '.new-comment textarea', 'Called the shop: the order is real')
    await click(page, '.new-comment button', 'Comment')
    await shows(page, 'Called the shop')
    await leaveField(page)
    await press(page, 'a')
    await page.isAt(`/console/reviews?decisionId=${second}`)
    await endUndo(page)
    const resolved = await resolvedOf(tim, first)
    assert.equal(resolved.state, 'approved')
    assert.equal(resolved.comments[0].comment, 'Called the shop: the order is real')
    assert.deepEqual(mistakes(page), [])
  })

  test('a decision pressed while a comment is on its way waits for the comment', async (t, browser) => {
    const { maya, tim } = await team()
    const decisionId = await decide('u-hasty')
    const page = await open(t, browser, maya, `/reviews?decisionId=${decisionId}`)
    await shows(page, 'Take it')
    await type(page, '.new-comment textarea', 'The shop confirms the order')
    await click(page, '.new-comment button', 'Comment')
    await leaveField(page)
    await press(page, 'a')
    await shows(page, 'No open reviews')
    await endUndo(page)
    const resolved = await resolvedOf(tim, decisionId)
    assert.deepEqual([resolved.state, resolved.comments.length], ['approved', 1])
    assert.deepEqual(mistakes(page), [])
  })

  test('ten cases are resolved by keys pressed at once: none is lost, one is undone, and none waits for another', async (t, browser) => {
    const { maya, tim } = await team()
    const ids: string[] = []
    for (let count = 1; count <= 10; count++) ids.push(await decide(`u-${count}`))
    const page = await open(t, browser, maya, '/reviews')
    await shows(page, 'u-10')
    // The fourth is blocked by mistake: undone, given a reason and approved.
    await press(page, ...'jabab', 'u', '1', ...'abababa')
    await shows(page, 'No open reviews')
    await shows(page, 'Undo')
    for (const id of ids.slice(0, 9))
      assert.equal((await tim.call('readReview', { decisionId: id })).body.state, 'open')
    await endUndo(page)
    const states: string[] = []
    for (const id of ids) states.push((await resolvedOf(tim, id)).state)
    assert.deepEqual(states, [
      ...['approved', 'blocked', 'approved', 'approved', 'blocked'],
      ...['approved', 'blocked', 'approved', 'blocked', 'approved'],
    ])
    assert.equal((await tim.call('readReview', { decisionId: ids[3] })).body.note, 'Customer confirmed it')
    assert.deepEqual(mistakes(page), [])
  })

  test('a decision is sent when the desk is left, and one that somebody else made first is said and stays made', async (t, browser) => {
    const { maya, tim } = await team()
    const [first, second] = [await decide('u-left'), await decide('<b>u-lost</b>')]
    const page = await open(t, browser, maya, `/reviews?decisionId=${first}`)
    await shows(page, 'Take it')
    await press(page, 'a')
    await page.isAt(`/console/reviews?decisionId=${second}`)
    await press(page, 'g', 'r')
    await page.isAt('/console/rules')
    await until(async () => (await tim.call('readReview', { decisionId: first })).body.state === 'approved', 'sent')
    await press(page, 'g', 'q')
    await shows(page, '<b>u-lost</b>')
    const isFirstGone = () =>
      page.evaluate(
        () => [...document.querySelectorAll('.queue-list b')].every(({ textContent }) => textContent !== 'u-left'),
        undefined,
      )
    await until(isFirstGone, 'what is resolved has left the queue')
    await press(page, 'j', 'a')
    await shows(page, 'Undo')
    await tim.call('resolveReview', { decisionId: second, outcome: 'blocked' })
    await endUndo(page)
    await shows(page, 'Not resolved: <b>u-lost</b>')
    assert.equal((await tim.call('readReview', { decisionId: second })).body.state, 'blocked')
  })

  test('a key asks for a challenge, which can be undone; the case waits in its own list', async (t, browser) => {
    const { maya, tim } = await team()
    const email = { email: 'her@shop.example' }
    const [first, second] = [await decide('u-ask', 1500, email), await decide('u-after', 1500)]
    const page = await open(t, browser, maya, `/reviews?decisionId=${first}`)
    await shows(page, 'Ask for a challenge')
    await press(page, 'h')
    await page.isAt(`/console/reviews?decisionId=${second}`)
    await shows(page, 'Asked for a challenge: u-ask')
    await press(page, 'u')
    await page.isAt(`/console/reviews?decisionId=${first}`)
    await press(page, '1', 'h')
    await page.isAt(`/console/reviews?decisionId=${second}`)
    const isAsked = async () => (await tim.call('readReview', { decisionId: first })).body.challenge !== undefined
    assert.equal(await isAsked(), false, 'it is not sent before it can be undone no more')
    await endUndo(page)
    await until(isAsked, 'asked')
    assert.equal((await tim.call('readReview', { decisionId: first })).body.challenge.note, 'Customer confirmed it')
    // Nobody could pass that of the second case: nothing is lost, and the sentence says why.
    await press(page, 'h')
    await endUndo(page)
    await shows(page, 'nobody could pass it')
    assert.equal((await tim.call('readReview', { decisionId: second })).body.state, 'open')
    await page.goto(
      `${service.url.replace('127.0.0.1', 'localhost')}/console/reviews?filter=waiting&decisionId=${first}`,
    )
    await shows(page, 'Waiting for the challenge')
    await shows(page, 'Customer confirmed it')
  })

  test('the queue sorts by amount and shows what one rule sent, and a row says how much is at stake', async (t, browser) => {
    const { maya } = await team()
    const small = await decide('u-small')
    const large = await decide('u-large', 41_000)
    const page = await open(t, browser, maya, '/reviews?order=params.amount')
    await shows(page, '41,000')
    const names = () =>
      page.evaluate(
        () => [...document.querySelectorAll('.queue-list b')].map(({ textContent }) => textContent),
        undefined,
      )
    assert.deepEqual(await names(), ['u-large', 'u-small'])
    await press(page, 'j')
    await page.isAt(`/console/reviews?decisionId=${large}&order=params.amount`)
    await press(page, 'j')
    await page.isAt(`/console/reviews?decisionId=${small}&order=params.amount`)
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/console/reviews?rule=Another`)
    await shows(page, 'None of this rule')
    assert.deepEqual(mistakes(page), [])
  })

  test('who is too late sees who took it, keeps the comment in the field, and cannot decide', async (t, browser) => {
    const { maya, tim } = await team()
    const decisionId = await decide('u-contested')
    const page = await open(t, browser, maya, `/reviews?decisionId=${decisionId}`)
    await shows(page, 'Take it')
    await type(page, '.new-comment textarea', 'I am half way through')
    await tim.call('assignReview', { decisionId, personId: tim.personId })
    await click(page, '.assign button', 'Take it')
    await shows(page, 'Somebody was faster')
    await shows(page, 'works on it. Take it over to decide.')
    const kept = await page.evaluate(
      () =>
        [...document.querySelectorAll('.new-comment textarea')].map(
          (each) => (each as unknown as { value: string }).value,
        ),
      undefined,
    )
    assert.deepEqual(kept, ['I am half way through'])
    await click(page, '.assign button', 'Take over')
    await shows(page, 'Approve')
  })

  test('a comment that is not sent yet is kept for its decision, and sent with the decision by a key', async (t, browser) => {
    const { maya, tim } = await team()
    const [first, second] = [await decide('u-first'), await decide('u-second')]
    const page = await open(t, browser, maya, `/reviews?decisionId=${first}`)
    await shows(page, 'Take it')
    await type(page, '.new-comment textarea', 'The buyer answered the phone')
    await shows(page, 'Approve and Block send it too')
    await leaveField(page)
    await press(page, 'j')
    await page.isAt(`/console/reviews?decisionId=${second}`)
    await has(page, '.new-comment textarea', '')
    await press(page, 'k')
    await page.isAt(`/console/reviews?decisionId=${first}`)
    await has(page, '.new-comment textarea', 'The buyer answered the phone')
    await press(page, 'b')
    await page.isAt(`/console/reviews?decisionId=${second}`)
    await endUndo(page)
    const { state, comments } = await resolvedOf(tim, first)
    assert.equal(state, 'blocked')
    assert.deepEqual(
      comments.map(({ comment }: { comment: string }) => comment),
      ['The buyer answered the phone'],
    )
    assert.deepEqual(mistakes(page), [])
  })

  test('the list of keys has those of this page, and the way to another page decides nothing', async (t, browser) => {
    const { maya } = await team()
    const decisionId = await decide('u-first')
    const page = await open(t, browser, maya, `/reviews?decisionId=${decisionId}`)
    await shows(page, 'Take it')
    await press(page, '?')
    for (const meaning of ['Approve it', 'Block it', 'Take it, or take it over', 'Write a comment'])
      await shows(page, meaning)
    await click(page, '[role=dialog] button[aria-label=Close]', '')
    // No page has the keys `g b`.
    await press(page, 'g', 'b')
    await press(page, 'g', 'a')
    await page.isAt('/console/apps')
    assert.equal((await maya.call('readReview', { decisionId })).body.state, 'open')
  })

  test('filters are links, and what is overdue comes first and says so; the owner sets the deadline', async (t, browser) => {
    const { ravi } = await team()
    const late = await decide('u-late')
    await ravi.call('setReviewDeadline', { dueHours: 1 })
    service.clock.advance({ seconds: 3_660 })
    const owner = await personWith(service, 'owner', `Olga ${browser.name}`)
    await decide('u-fresh')
    const page = await open(t, browser, owner, '/reviews?filter=overdue')
    await shows(page, 'u-late')
    await shows(page, 'Overdue')
    const names = () =>
      page.evaluate(
        () => [...document.querySelectorAll('.queue-list b')].map(({ textContent }) => textContent),
        undefined,
      )
    assert.deepEqual(await names(), ['u-late'])
    await click(page, '.queue-filters a', 'All')
    await shows(page, 'u-fresh')
    assert.deepEqual(await names(), ['u-late', 'u-fresh'])
    await click(page, '.queue-filters a', 'Mine')
    await page.isAt('/console/reviews?filter=mine')
    await shows(page, 'Nothing is assigned to you')
    await click(page, 'button', 'Deadline: 1 h')
    await type(page, '.deadline-hours input', '24')
    await click(page, '[role=dialog] button', 'Save')
    await shows(page, 'Deadline: 24 h')
    assert.equal((await owner.call('readReview', { decisionId: late })).body.isOverdue, false)
    assert.deepEqual(mistakes(page), [])
  })
})
