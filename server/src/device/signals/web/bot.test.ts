import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded, recordings } from '../../testdata/recordings.ts'
import { bot } from './bot.ts'

const ordinary = recorded('chromium-ordinary')
const judge = (facts: typeof ordinary.facts, headers = ordinary.headers) =>
  bot.judge({ ...ordinary, facts: { ...ordinary.facts, ...facts }, headers })?.verdict.result

test('a browser that reports automation is a bot', () => {
  assert.equal(judge({}), 'notDetected')
  assert.equal(judge({ automation: { ...ordinary.facts.automation, webdriver: true } }), 'bad')
  assert.equal(judge({ automation: { ...ordinary.facts.automation, globals: ['__playwright__binding__'] } }), 'bad')
})

test('open developer tools are no bot, a program on the same protocol is one', () => {
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 30 } }), 'notDetected')
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 0.1 } }), 'bad')
})

test('one weak reason makes no bot, several do', () => {
  const noMouse = { mediaQueries: { ...ordinary.facts.mediaQueries, 'any-pointer': 'none' }, maxTouchPoints: 0 }
  const noScreen = { screen: { ...ordinary.facts.screen, width: 800, height: 600 } }
  assert.equal(judge(noMouse), 'notDetected')
  assert.equal(judge(noScreen), 'notDetected')
  assert.equal(judge({ webgl: { renderer: 'SwiftShader' } }), 'notDetected')
  assert.equal(judge({ ...noMouse, ...noScreen, webgl: { renderer: 'SwiftShader' } }), 'bad')
})

test('an invented screen is ordinary with a pointer, and a bot without one', () => {
  const screen = { width: 1366, height: 768, availWidth: 1366, availHeight: 768 }
  const geometry = { ...ordinary.facts.windowGeometry, outerWidth: 1366, outerHeight: 768 }
  const filled = { screen: { ...ordinary.facts.screen, ...screen }, windowGeometry: geometry }
  const noMouse = { mediaQueries: { ...ordinary.facts.mediaQueries, 'any-pointer': 'none' }, maxTouchPoints: 0 }
  assert.equal(judge(filled), 'notDetected')
  assert.equal(judge({ ...filled, ...noMouse, maxTouchPoints: 5 }), 'notDetected')
  assert.equal(judge({ ...filled, ...noMouse }), 'bad')
  const drawn = {
    ...filled,
    windowGeometry: { ...ordinary.facts.windowGeometry },
    webgl: { renderer: 'llvmpipe, or similar' },
  }
  assert.equal(judge(drawn), 'notDetected')
  assert.equal(judge({ ...drawn, ...noMouse }), 'bad')
  assert.equal(judge({ ...drawn, ...noMouse, webgl: { renderer: 'Intel(R) HD Graphics' } }), 'notDetected')
  assert.equal(judge({ ...filled, ...noMouse, screen: { ...filled.screen, availHeight: 728 } }), 'notDetected')
})

test('a page as large as its screen, in a larger window, is a bot unless developer tools or the browser itself do that', () => {
  const screen = { ...ordinary.facts.screen, width: 1280, height: 720, availWidth: 1280, availHeight: 720 }
  const windowGeometry = { isTop: true, innerWidth: 1280, innerHeight: 720, outerWidth: 1288, outerHeight: 851 }
  assert.equal(judge({ screen, windowGeometry }), 'bad', 'patchright, Playwright and Puppeteer with their own viewport')
  const deviceMode = { stacksWritten: 1, awaitRatio: 30 }
  assert.equal(judge({ screen, windowGeometry, inspection: deviceMode }), 'notDetected')
  const of = (change: object) => judge({ screen, windowGeometry: { ...windowGeometry, ...change } })
  assert.equal(of({ outerWidth: 1280, outerHeight: 720 }), 'notDetected', 'full screen')
  assert.equal(of({ outerWidth: 1286, outerHeight: 727 }), 'notDetected', 'the noise of Brave')
  assert.equal(of({ innerHeight: 600 }), 'notDetected')
  assert.equal(of({ isTop: false }), 'notDetected', 'a frame')
})

test('no WebGL in UTC is an ordinary visitor', () => {
  const { webgl: _, ...facts } = ordinary.facts
  assert.equal(bot.judge({ ...ordinary, facts: { ...facts, timezone: 'UTC' } })?.verdict.result, 'notDetected')
})

test('a crawler that names itself is a bot; a Cubot phone is none', () => {
  const agent = (text: string) => judge({}, { ...ordinary.headers, 'user-agent': text })
  assert.equal(agent('Mozilla/5.0 (compatible; Examplebot/2.1; +http://example.com/bot.html)'), 'bad')
  assert.equal(agent('curl/8.9.1'), 'bad')
  assert.equal(
    agent('Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/150.0.0.0'),
    'notDetected',
  )
})

test('has no verdict without facts about automation, unless the headers name a program', () => {
  const nothing = { ...ordinary, facts: {}, headers: {} }
  assert.equal(bot.judge(nothing), undefined)
  assert.equal(bot.judge({ ...nothing, headers: { 'user-agent': 'python-requests/2.32' } })?.verdict.result, 'bad')
})

test('the category tells a program in the browser of a person from a browser that a program started', () => {
  const categories = recordings().map(({ name, evidence }) => [name, bot.judge(evidence)?.verdict.category] as const)
  const ofCategory = (wanted: string) => categories.flatMap(([name, category]) => (category === wanted ? [name] : []))
  assert.deepEqual(ofCategory('browserAgent'), [
    'chromedriver-patched', // it hides everything else
    'chromium-agent-extension',
    'playwright-over-a-port',
    'protocol-runtime-enabled',
    'puppeteer-over-a-port',
  ])
  const bad = recordings().filter(({ evidence }) => bot.judge(evidence)?.verdict.result === 'bad')
  assert.equal(ofCategory('automation').length, bad.length - 5)
})

test('a program in the browser of a person has no category while facts are missing', () => {
  const attached = recorded('chromium-agent-extension')
  const { plugins: _, ...facts } = attached.facts
  const { result, category } = bot.judge({ ...attached, facts, lacking: ['plugins'] })?.verdict ?? {}
  assert.deepEqual([result, category], ['bad', undefined])
})

test('a bot that names itself has the category of its name', () => {
  const userAgent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
  const { category, proof } =
    bot.judge({ ...ordinary, headers: { ...ordinary.headers, 'user-agent': userAgent } })?.verdict ?? {}
  assert.deepEqual([category, proof], ['aiCrawler', 'none'])
})
