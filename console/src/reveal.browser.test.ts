import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { type Answers, allPermissions, answering, sample, signedIn } from './testing/answered-calls.ts'
import { type as fill, press, shows } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'
import { deviceId, shownDevice, shownVisits } from './testing/shown-device.ts'
import { phoneNumber, shownNumber, shownRoute, shownUser, shownUserDevices } from './testing/shown-user.ts'

// Of the page; the folder of this file has no DOM types.
declare const document: {
  querySelectorAll(
    selector: string,
  ): Iterable<{ readonly textContent: string; readonly disabled?: boolean; readonly value?: string }>
}

const masked = '********1726'
const decision = sample<AnswerOf<'readDecision'>>('investigated-decision.swapped-sim-new-device')
const subject = { ...decision.subject, phoneNumber: masked }

/** No call needs `personalData.read` itself. */
const analyst = [...allPermissions, 'personalData.read'] as const

const usual = {
  me: signedIn(),
  readUser: { ...shownUser, numbers: shownUser.numbers.map((link) => ({ ...link, phoneNumber: masked })) },
  listUserDevices: shownUserDevices,
  searchEvents: { events: [] },
  readNumber: { ...shownNumber, phoneNumber: masked },
  explainRoute: shownRoute,
  readDevice: { ...shownDevice, numbers: shownDevice.numbers.map((link) => ({ ...link, phoneNumber: masked })) },
  listDeviceVisits: shownVisits,
  readDecision: { ...decision, subject },
} satisfies Answers

const pages = {
  user: { path: '/user#u-1001', id: 'u-1001', record: shownUser },
  phoneNumber: { path: `/number#${phoneNumber}`, id: phoneNumber, record: shownNumber },
  device: { path: `/devices/${deviceId}`, id: deviceId, record: shownDevice },
  decision: { path: `/decisions/${decision.decisionId}`, id: decision.decisionId, record: decision },
} as const

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.goto(`${service().url}/console${path}`)
  return page
}

const revealed = (page: TestPage) =>
  page.evaluate(() => {
    const { calls } = globalThis as unknown as { calls: { path: string; body?: object }[] }
    return calls.filter(({ path }) => path === '/admin/v1/reveal').map(({ body }) => body)
  }, undefined)

inEachBrowser((test) => {
  for (const [kind, { path, id, record }] of Object.entries(pages)) {
    test(`reveals the record of a ${kind} after a reason, once`, async (t, browser) => {
      const answer = { kind: kind as keyof typeof pages, id, record: record as unknown as Record<string, unknown> }
      const page = await open(t, browser, path, { ...usual, reveal: answer })
      await shows(page, masked)
      await press(page, 'Reveal')
      await shows(page, 'The audit log has your name')
      const isDisabled = () =>
        page.evaluate(
          () =>
            [...document.querySelectorAll('.dialog button')].find(({ textContent }) => textContent === 'Reveal')!
              .disabled,
          undefined,
        )
      assert.equal(await isDisabled(), true, 'without a reason')
      assert.deepEqual(await revealed(page), [])
      await fill(page, 'input[name=reason]', 'Ticket 4711')
      await press(page, 'Reveal')
      await shows(page, 'Shown in clear')
      await shows(page, kind === 'decision' ? decision.subject.phoneNumber! : phoneNumber)
      assert.deepEqual(await revealed(page), [{ kind, id, reason: 'Ticket 4711' }])
      assert.deepEqual(page.complaints, [])
    })
  }

  test('offers no reveal to who sees everything, and none to who may not', async (t, browser) => {
    const withoutReveal = allPermissions.filter((permission) => permission !== 'personalData.reveal')
    for (const permissions of [analyst, withoutReveal]) {
      const page = await open(t, browser, '/user#u-1001', { ...usual, me: signedIn(permissions) })
      await shows(page, 'Velocities')
      const names = await page.evaluate(
        () => [...document.querySelectorAll('main button')].map(({ textContent }) => textContent),
        undefined,
      )
      assert.ok(!names.includes('Reveal'), names.join())
    }
  })

  test('opens Privacy with the subject filled in, and lists reveals there', async (t, browser) => {
    const reveals = {
      reveals: [
        { line: 41, at: '2026-11-23T09:14:02.511Z', by: 'Sam Okoro', kind: 'decision', reason: 'Ticket 4711' },
        { line: 17, at: '2026-11-20T15:02:44.026Z', by: 'person:1' },
      ],
    } satisfies AnswerOf<'listReveals'>
    const answers = { ...usual, listReveals: reveals, readRetention: { kinds: [] }, listErasures: { receipts: [] } }
    for (const [path, id] of [
      ['/user#u-1001', 'u-1001'],
      [`/number#${phoneNumber}`, phoneNumber],
      [`/devices/${deviceId}`, deviceId],
    ] as const) {
      const page = await open(t, browser, path, answers)
      await shows(page, 'Velocities')
      await press(page, 'Export or erase')
      for (const text of ['Export or erase a person or device', 'Sam Okoro', 'Erased since']) await shows(page, text)
      const filled = await page.evaluate(
        () => [...document.querySelectorAll('input[name=subject]')].map(({ value }) => value),
        undefined,
      )
      assert.deepEqual(filled, [id])
      assert.deepEqual(page.complaints, [])
    }
  })
})
