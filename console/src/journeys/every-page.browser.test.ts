// Can everybody use every page, on a phone in the light and at a desk in the dark, also when a stored text is a script? With a real service, and its routes as the list.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleCookie } from '@ringfence/contract'
import { countActivity } from '@ringfence/server/admin/overview/count-activity.ts'
import { personWith, type TestPerson } from '@ringfence/server/admin/people/test-person.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { launchChromium } from '../../../scripts/browsers.ts'
import { axeSource, seriousFindings } from '../testing/accessibility.ts'
import { looksLikeCode } from '../testing/codes.ts'
import { pageRoutes } from './page-routes.ts'

// Of the page; the folder of this file has no DOM types.
declare const requestAnimationFrame: (draw: (now: number) => void) => void
interface TextNode {
  readonly data: string
  readonly parentElement: { closest(selector: string): object | null }
}
interface Shown {
  readonly tagName: string
  readonly children: Iterable<Shown>
  getAttribute(name: string): string | null
  matches(selector: string): boolean
}
declare const getComputedStyle: (element: Shown) => { getPropertyValue(name: string): string }
declare const history: { pushState(state: object, title: string, url: string): void }
declare const document: {
  querySelector(selector: string): object | null
  querySelectorAll(selector: string): Iterable<Shown>
  getAnimations(): Iterable<{ finish(): void }>
  readonly body: object
  createTreeWalker(root: object, what: number): { nextNode(): TextNode | null }
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number }
}

const phoneNumber = '917020140110'
const hostile = '<img src=x onerror="globalThis.stolen=1">'

/** Right to left with overrides, zero width, emoji of many parts, and a word without an end. */
const odd = [
  '\u202Eمستخدم\u200B\u2066 ١',
  '👩‍👩‍👧‍👦'.repeat(12),
  'ab\u200D\u200C\uFEFFc',
  'W'.repeat(250),
  'V'.repeat(10_000),
]
/** What people and configurations call things. */
const names = [hostile, ...odd, 'RELIANCE_JIO', 'SANDBOX_SOUTH']

/** Each is stored as it is, or refused as a field that is not valid. @returns how many were stored */
async function storeOddTexts({ post }: Pick<TestService, 'post'>, { call }: Pick<TestPerson, 'call'>): Promise<number> {
  let stored = 0
  const note = ({ status, body }: { status: number; body: unknown }, what: string) => {
    assert.ok(status === 200 || status === 400, `${what}: ${status} ${JSON.stringify(body)}`)
    if (status === 200) stored++
  }
  for (const text of odd) {
    const asked = { action: 'PAYMENT', userId: text, phoneNumber, params: { [text.slice(0, 40)]: text } }
    note(await post('/v1/decisions', asked), 'decision')
    const plain = await post('/v1/decisions', { ...asked, params: {} })
    note(plain, 'decision without params')
    if (plain.status === 200) await reviewWith(text, plain.body.decisionId, call)
    note(
      await call('saveRuleDraft', { basedOn: 0, name: text, note: text, text: 'require: {}\nrules: []\n' }),
      'name and note of a draft',
    )
    const list = { name: `odd-${odd.indexOf(text)}`, kind: 'text', purpose: 'watch', description: text }
    note(await call('createList', list), 'list')
    note(await call('addListEntries', { name: 'blocked', entries: [{ value: text }] }), 'entry')
    note(
      await call('addListEntries', { name: 'blocked', entries: [{ value: `note ${text.length}`, note: text }] }),
      'note',
    )
    note(await call('createApp', { name: text, origins: ['https://shop.example'] }), 'app')
    note(await call('createClient', { name: text, scopes: ['decisions'] }), 'client')
  }
  return stored
}

/** What reviewers write: a comment, why a challenge is asked for, and why it ended. */
async function reviewWith(text: string, decisionId: string, call: TestPerson['call']): Promise<void> {
  for (const [name, fields] of [
    ['commentReview', { comment: text }],
    ['askForChallenge', { note: text }],
    ['resolveReview', { outcome: 'approved', note: text }],
  ] as const) {
    const { status, body } = await call(name, { decisionId, ...fields })
    // Nobody could pass the challenge of a user without a sign-in.
    assert.ok([200, 400, 409].includes(status), `${name}: ${status} ${JSON.stringify(body)}`)
  }
}

/** Each is stored as it is, and is on some page. */
async function storeHostileTexts({ post }: Pick<TestService, 'post'>, { call }: Pick<TestPerson, 'call'>) {
  const done = async (name: Parameters<typeof call>[0], fields: object) => {
    const { status, body } = await call(name, fields)
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
    return body
  }
  await done('saveRuleDraft', {
    basedOn: 0,
    text: `require: {}\nrules: [{ id: r, name: '${hostile}', when: newDevice or action == "PAYMENT", action: REVIEW, score: 1, message: '${hostile}', description: '${hostile}' }]`,
  })
  await done('requestPublication', { version: 1, note: hostile, alone: true })
  const params = { [hostile]: hostile, card: hostile }
  const { body } = await post('/v1/decisions', { action: 'PAYMENT', userId: hostile, phoneNumber, params })
  const { decisionId } = body
  await reviewWith(
    hostile,
    (await post('/v1/decisions', { action: 'PAYMENT', userId: hostile, params })).body.decisionId,
    call,
  )
  const draft = await done('saveRuleDraft', {
    basedOn: 1,
    name: hostile,
    note: hostile,
    text: 'require: {}\nrules: []\n',
  })
  await done('startRuleShadow', { version: draft.version, note: hostile })
  await done('label', { labels: [{ decisionId, outcome: 'fraud' }] })
  await done('commentReview', { decisionId, comment: hostile })
  await done('createList', { name: 'blocked', kind: 'text', purpose: 'block', description: hostile })
  await done('addListEntries', { name: 'blocked', entries: [{ value: hostile, note: hostile }] })
  await done('createApp', { name: hostile, origins: ['https://shop.example'] })
  await done('createClient', { name: hostile, scopes: ['decisions'] })
  await done('createRole', { name: 'night-shift', description: hostile, permissions: ['decisions.read'] })
  return { decisionId, backtestId: (await done('startBacktest', { version: 0 })).backtestId }
}

test('every page is accessible, has no error, runs no stored text, and fits a phone', {
  timeout: 300_000,
}, async (t) => {
  const browser = await launchChromium(t) // first, so that its pages end before the service
  // The clock of the service stands still, so the files of all pages count for one burst.
  const settings = { publicRatePerSecond: 10_000 }
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const maya = await personWith(service, 'owner', hostile)
  const { decisionId, backtestId } = await storeHostileTexts(service, maya)
  assert.ok((await storeOddTexts(service, maya)) > 20, 'most odd texts are stored')
  service.clock.advance({ seconds: 30 })
  await countActivity(service.parts)
  const filled: Readonly<Record<string, string>> = {
    '/decisions/$decisionId': `/decisions/${decisionId}`,
    '/devices/$deviceId': '/devices/567f4354-0c1b-4a56-8a4e-9d1c35f7a111',
    '/lists/$name': '/lists/blocked',
    '/number': `/number#${phoneNumber}`,
    '/user': `/user#${encodeURIComponent(hostile)}`,
    '/rules/backtest': `/rules/backtest?id=${backtestId}`,
  }
  assert.ok(pageRoutes.length > 20, 'the routes are read from their source')

  const context = await browser.newContext()
  t.after(() => context.close())
  // At localhost browsers accept secure cookies without TLS.
  const url = service.url.replace('127.0.0.1', 'localhost')
  await context.addCookies([
    { name: consoleCookie, value: maya.token, url: url.replace('http:', 'https:'), secure: true },
  ])
  await context.addInitScript({ content: axeSource })
  const page = await context.newPage()
  const urlPath = (route: string) => `/console${filled[route] ?? route}`
  const isShown = () =>
    page.waitForFunction(() => document.querySelector('h1, h2') && !document.querySelector('.loading'))
  const complaints: string[] = []
  // A refused call is part of some pages: of a device that is not known, for example.
  page.on(
    'console',
    (message) => message.type() === 'error' && !message.text().includes('404') && complaints.push(message.text()),
  )
  page.on('pageerror', (error) => complaints.push(String(error)))
  const found: string[] = []
  const fresh = new Map<string, Styles>()
  for (const route of pageRoutes) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.goto(`${url}${urlPath(route)}`)
    await isShown()
    for (const each of await seriousFindings(page as never)) found.push(`${route} at a desk in the dark: ${each}`)
    fresh.set(route, await page.evaluate(stylesInMain))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.evaluate(threeFrames)
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    if (scrollWidth > clientWidth) found.push(`${route} is ${scrollWidth - clientWidth} px wider than a phone`)
    for (const each of await seriousFindings(page as never)) found.push(`${route} on a phone in the light: ${each}`)
    if (await page.evaluate(() => 'stolen' in globalThis)) found.push(`${route} runs a stored text`)
    // What rules are made of is written in the language of rules.
    if (!route.startsWith('/rules')) {
      const texts = await page.evaluate(textsOfPage)
      const codes = texts.filter((text) => looksLikeCode(names.reduce((left, name) => left.replaceAll(name, ''), text)))
      found.push(...codes.map((each) => `${route} shows a code: ${each}`))
    }
    found.push(...complaints.splice(0).map((each) => `${route}: ${each}`))
  }
  assert.deepEqual(found, [])

  const leaks: string[] = []
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.evaluate(threeFrames)
  const walk = async (routes: readonly string[]) => {
    for (const route of routes) {
      const former = await page.evaluateHandle(() => document.querySelector('main h1, main h2'))
      await page.evaluate((to: string) => history.pushState({}, '', to), urlPath(route))
      await page.waitForFunction((each) => !(each as { isConnected: boolean } | null)?.isConnected, former)
      await isShown()
      for (const [element, styles] of Object.entries(await page.evaluate(stylesInMain))) {
        const before = fresh.get(route)![element] ?? styles
        const other = styles.filter((each) => !before.includes(each))
        if (other.length > 0) leaks.push(`${route}, ${element}: ${other.join(' | ')} after other pages, not ${before}`)
      }
    }
  }
  await walk(pageRoutes)
  // The same way back, with the sheets of the last page first. It is shown before the walk leaves it, for a heading that stays would be waited for.
  const [last, ...others] = pageRoutes.toReversed()
  await page.goto(`${url}${urlPath(last!)}`)
  await isShown()
  await walk(others)
  assert.deepEqual(leaks, [], 'no page looks different after a visit to the others')
})

test('every page says what it has to a tenant with nothing, and to a role that may see half', {
  timeout: 300_000,
}, async (t) => {
  const browser = await launchChromium(t) // first, so that its pages end before the service
  const settings = { publicRatePerSecond: 10_000 }
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const owner = await personWith(service, 'owner', 'Maya')
  const permissions = ['decisions.read', 'users.read', 'lists.read', 'rules.read']
  assert.equal((await owner.call('createRole', { name: 'half', description: 'Half', permissions })).status, 200)
  const url = service.url.replace('127.0.0.1', 'localhost')
  const found: string[] = []
  for (const { token, who } of [
    { ...owner, who: 'owner' },
    { ...(await personWith(service, 'half' as never, 'Tara')), who: 'half' },
  ]) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    t.after(() => context.close())
    await context.addCookies([{ name: consoleCookie, value: token, url: url.replace('http:', 'https:'), secure: true }])
    const page = await context.newPage()
    page.on('pageerror', (error) => found.push(`${who}: ${error}`))
    for (const route of pageRoutes.filter((each) => !each.includes('$'))) {
      await page.goto(`${url}/console${route}`)
      await page.waitForFunction(() => document.querySelector('h1, h2') && !document.querySelector('.loading'))
      const text = (await page.evaluate(textsOfPage)).join(' ')
      if (text.includes('undefined') || text.includes('NaN')) found.push(`${who} ${route} shows what is not there`)
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (wider > 0) found.push(`${who} ${route} is ${wider} px wider than a phone`)
    }
  }
  assert.deepEqual(found, [])
})

/** In the page: the colours of the other theme are drawn with the second frame. */
async function threeFrames(): Promise<void> {
  for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** In the page: each text that is no code on purpose, and not stored by this test. */
function textsOfPage(): string[] {
  const texts: string[] = []
  const walker = document.createTreeWalker(document.body, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest('code, pre, kbd, textarea, script, style, .cm-editor, option'))
      texts.push(node.data)
  return texts
}

type Styles = Readonly<Record<string, string[]>>

/** In the page: by the classes on the way to an element, how those that are there look. */
function stylesInMain(): Styles {
  const properties = [
    ...['display', 'gap', 'padding', 'margin', 'border', 'border-radius', 'background-color', 'color', 'columns'],
    ...[
      'font-size',
      'font-weight',
      'line-height',
      'text-align',
      'white-space',
      'overflow',
      'cursor',
      'list-style-type',
    ],
  ]
  // Whoever wants less motion has transitions too, of no length.
  for (const animation of document.getAnimations()) animation.finish()
  const styles: Record<string, string[]> = {}
  const visit = (element: Shown, way: string) => {
    // The last cell of a row has another padding than the others.
    const last = element.matches(':last-child') ? ':last-child' : ''
    const name = `${way} ${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}${last}`.slice(-200)
    const computed = getComputedStyle(element)
    const text = properties.map((property) => computed.getPropertyValue(property)).join('; ')
    if (styles[name]?.includes(text) !== true) styles[name] = [...(styles[name] ?? []), text]
    for (const child of element.children) visit(child, name)
  }
  for (const main of document.querySelectorAll('main')) visit(main, '')
  return styles
}
