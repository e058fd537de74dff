import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { axeSource, seriousFindings } from './testing/accessibility.ts'
import { type Answers, allPermissions, answering, sample, signedIn } from './testing/answered-calls.ts'
import { type as fill, shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'
import {
  checkEvents,
  phoneNumber,
  shownNumber,
  shownRoute,
  shownUser,
  shownUserDevices,
  userEvents,
} from './testing/shown-user.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string; click(): void }>
}

interface Sent {
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

const usual = {
  me: signedIn(),
  readUser: shownUser,
  listUserDevices: shownUserDevices,
  updateUserDevice: { ...shownUserDevices.devices[0]!, trusted: false },
  trustUserDevice: { ...shownUserDevices.devices[1]!, trusted: true },
  searchEvents: userEvents,
  readNumber: shownNumber,
  explainRoute: shownRoute,
  checkNumber: {
    check: 'simSwap',
    result: 'yes',
    maxAgeHours: 240,
    ageSeconds: 130,
    sandbox: false,
    checkedAt: '2026-11-23T10:00:00.000Z',
  },
} satisfies Answers

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers = usual): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.prepare(axeSource)
  await page.goto(`${service().url}/console${path}`)
  return page
}

const pressButton = (page: TestPage, name: string) =>
  page.evaluate((wanted) => {
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(({ textContent }) => textContent === wanted)!.click()
  }, name)

const pressTab = (page: TestPage, name: string) =>
  page.evaluate((wanted) => {
    const tabs = [...document.querySelectorAll('[role=tab]')]
    tabs.find(({ textContent }) => textContent === wanted)!.click()
  }, name)

/** Of the console's own endpoint, or of one that it shares with backends. */
const sent = (page: TestPage, path: string): Promise<Sent[]> =>
  page.evaluate(
    (wanted) => (globalThis as unknown as { calls: Sent[] }).calls.filter(({ path }) => wanted.includes(path)),
    [`/admin/v1${path}`, `/v1${path}`],
  )

inEachBrowser((test) => {
  test('shows what is usual for a user, velocities, numbers, labels and decisions', async (t, browser) => {
    const page = await open(t, browser, '/user#u-1001')
    for (const text of ['41 proven sessions from 2 installations', 'India', 'AS 55836', 'Chargeback']) {
      await shows(page, text)
    }
    await shows(page, '12,450.5')
    await shows(page, 'Sum of params.amount within 7d')
    await shows(page, '+917020141726')
    await shows(page, 'SIM swapped')
    assert.deepEqual(page.complaints, [])
  })

  test('says why the user was refused last, in words, with the way to the decision', async (t, browser) => {
    const decision = sample<AnswerOf<'readDecision'>>('investigated-decision.swapped-sim-new-device')
    const [first] = userEvents.events
    const waits = { ...first!, outcome: 'REVIEW', data: { ...first!.data, action: 'REVIEW' } }
    const answers = { ...usual, searchEvents: { events: [first!, waits] }, readDecision: decision }
    const page = await open(t, browser, '/user#u-1001', answers)
    await shows(page, decision.reasons[0]!.text)
    await shows(page, 'See the decision')
    const outcomes = (await sent(page, '/events/search')).map(({ body }) => body?.outcome)
    assert.ok(['BLOCK', 'REVIEW'].every((outcome) => outcomes.includes(outcome)))
    assert.deepEqual(page.complaints, [])
    const other = await open(t, browser, '/user#u-1001')
    await shows(other, 'No stored decision about the user was blocked')
  })

  test('revokes a device, and trusts a revoked one again', async (t, browser) => {
    const page = await open(t, browser, '/user#u-1001')
    await shows(page, 'Old phone')
    await pressButton(page, 'Revoke')
    await pressButton(page, 'Trust again')
    await until(async () => (await sent(page, '/users/devices/trust')).length > 0, 'nothing was sent')
    const [revoked] = await sent(page, '/users/devices/update')
    assert.deepEqual(revoked?.body, {
      userId: 'u-1001',
      deviceId: shownUserDevices.devices[0]!.deviceId,
      trusted: false,
    })
    const [trusted] = await sent(page, '/users/devices/trust')
    assert.deepEqual(trusted?.body, { userId: 'u-1001', deviceId: shownUserDevices.devices[1]!.deviceId })
    assert.deepEqual(page.complaints, [])
  })

  test('explains the route of a check: source, operator, connector and circuit', async (t, browser) => {
    const page = await open(t, browser, `/number#${phoneNumber}`, { ...usual, searchEvents: checkEvents })
    await shows(page, 'Says: served by 405-840, allocated to 404-45, ported')
    await shows(page, 'No stored answer; a check would call it')
    await shows(page, 'JIO serves the number.')
    await shows(page, 'Circuit open')
    await shows(page, 'Reused for 8 minutes')
    await shows(page, 'The next check calls')
    await pressTab(page, 'Checks')
    await shows(page, 'by Maya Rao')
    await shows(page, '2 more: not known here')
    assert.deepEqual(page.complaints, [])
  })

  test('checks a number only after a click that says that it may cost', async (t, browser) => {
    const page = await open(t, browser, `/number#${phoneNumber}`)
    await shows(page, 'Check now')
    await pressButton(page, 'Check now')
    await shows(page, 'Your operator may charge for it.')
    assert.deepEqual(await sent(page, '/numbers/check'), [])
    await pressButton(page, 'Check')
    await shows(page, 'Reused: the operator answered 2 minutes ago.')
    const [check, ...more] = await sent(page, '/numbers/check')
    assert.deepEqual([check?.body, more], [{ phoneNumber, check: 'simSwap' }, []])
    assert.deepEqual(page.complaints, [])
  })

  test('offers neither checks nor changes to who may only read', async (t, browser) => {
    const me = signedIn(allPermissions.filter((permission) => permission.endsWith('.read')))
    for (const path of ['/user#u-1001', `/number#${phoneNumber}`]) {
      const page = await open(t, browser, path, { ...usual, me })
      await shows(page, 'Velocities')
      const names = await page.evaluate(
        () => [...document.querySelectorAll('main button')].map(({ textContent }) => textContent),
        undefined,
      )
      const changes = ['Check now', 'Add to list', 'Revoke', 'Trust again', 'Rename']
      assert.deepEqual(
        names.filter((name) => changes.includes(name)),
        [],
      )
    }
  })

  test('a number without a list gets a new one in the same dialog', async (t, browser) => {
    const list = sample<AnswerOf<'describeLists'>>('described-lists.ordinary').lists[0]!
    const page = await open(t, browser, `/number#${phoneNumber}`, {
      ...usual,
      describeLists: { lists: [{ ...list, kind: 'userId' }] },
      createList: list,
      addListEntries: { added: 1, unchanged: 0, entries: 1 } as never,
    })
    await shows(page, 'Add to list')
    await pressButton(page, 'Add to list')
    await shows(page, 'No list has phone numbers yet. Create one:')
    await fill(page, 'input[name=list]', 'mules')
    await pressButton(page, 'Add')
    await shows(page, 'Added to mules')
    const [[created], [added]] = [await sent(page, '/lists/create'), await sent(page, '/lists/add')]
    assert.deepEqual(created?.body, { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    assert.deepEqual(added?.body, { name: 'mules', entries: [{ value: phoneNumber }] })
    assert.deepEqual(page.complaints, [])
  })

  test('the route of a check comes last, and is folded for who makes no checks', async (t, browser) => {
    const me = signedIn(allPermissions.filter((permission) => permission !== 'numbers.check'))
    const page = await open(t, browser, `/number#${phoneNumber}`, { ...usual, me })
    await shows(page, 'Which source, operator and connector a check would use.')
    const titles = await page.evaluate(
      () => [...document.querySelectorAll('.card h2')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.deepEqual(titles, ['Stored answers', 'Operator', 'Users', 'Velocities', 'Route of a check'])
    assert.deepEqual(await sent(page, '/numbers/route'), [])
    await pressButton(page, 'Show')
    await shows(page, 'JIO serves the number.')
    assert.deepEqual(page.complaints, [])
  })

  test('shows the table of users or numbers when the fragment names none', async (t, browser) => {
    const row = {
      ...{ firstSeenAt: '2026-11-20T09:00:00.000Z', lastSeenAt: '2026-11-23T09:00:00.000Z', topReason: 'SIM_SWAPPED' },
      ...{ shared: 3, decisions: 12, refused: 2, badLabels: 1, goodLabels: 0, state: shownUser.state },
    }
    const answers = {
      ...usual,
      listUsers: { rows: [{ userId: '<b>u-1</b>', ...row }] },
      listNumbers: { rows: [{ phoneNumber, ...row }] },
    }
    for (const [path, text] of [
      ['/user', '<b>u-1</b>'],
      ['/number', phoneNumber],
    ] as const) {
      const page = await open(t, browser, path, answers)
      await shows(page, text)
      assert.deepEqual(page.complaints, [])
    }
  })

  for (const [path, text] of [
    ['/user#u-1001', 'Old phone'],
    [`/number#${phoneNumber}`, 'Circuit open'],
  ] as const) {
    test(`has no serious finding of axe at ${path}`, async (t, browser) => {
      const page = await open(t, browser, path)
      await shows(page, text)
      assert.deepEqual(await seriousFindings(page), [])
    })
  }
})
