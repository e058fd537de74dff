// Which scenarios are automated? Openly, in disguise, and over every protocol that these browsers support.

import { devices } from 'playwright-core'
import { endGroup, startAsPerson } from './display.ts'
import { openProtocol } from './drivers/debugging-protocol.ts'
import { openByPlaywright, type PlaywrightOptions } from './drivers/playwright.ts'
import { openByPuppeteer } from './drivers/puppeteer.ts'
import { openByBidi, openByWebDriver } from './drivers/webdriver.ts'
import { personalChromium } from './people.ts'
import type { Expectation, Scenario } from './scenario.ts'

const chromiumAndScreen = ['/usr/bin/chromium', '/usr/bin/Xvfb']
const found: Expectation = { bot: 'bad' }
const programInDisguise = { kind: 'spoofing', expected: { bot: 'bad', tampering: true } } as const
const program = { kind: 'bot', expected: found } as const
const chromiumOnLinux =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

const playwright = (
  name: string,
  options: PlaywrightOptions,
  { kind, expected }: Pick<Scenario, 'kind' | 'expected'> = program,
): Scenario => ({
  name: `playwright-${name}`,
  kind,
  expected,
  needs: chromiumAndScreen,
  open: (url, stage) => openByPlaywright(options, url, stage),
})

const headless = (name: string, args: readonly string[]): Scenario => ({
  name: `chromium-${name}`,
  ...program,
  needs: ['/usr/bin/chromium'],
  async open(url, { folder, display, after }) {
    const common = ['--headless', '--disable-background-networking', `--user-data-dir=${folder}/profile`]
    const browser = startAsPerson({ command: 'chromium', args: [...common, ...args, url], folder, display })
    after(() => endGroup(browser))
  },
})

/** Driven by commands alone; started as by a person unless `args` say otherwise. */
export const protocol = (
  name: string,
  told: Pick<Scenario, 'kind' | 'expected' | 'zoneOfAddress'>,
  commands: readonly (readonly [string, object?])[],
  { args = [] }: { args?: readonly string[] } = {},
): Scenario => ({
  name: `protocol-${name}`,
  ...told,
  needs: chromiumAndScreen,
  async open(url, stage) {
    const { send } = await openProtocol([...personalChromium, ...args], stage)
    for (const [method, params] of commands) await send(method, params)
    await send('Page.navigate', { url })
    await send('Runtime.evaluate', { expression: 'document.title' })
  },
})

const chromedriver = (name: string, options: object): Scenario => ({
  name: `chromedriver-${name}`,
  ...program,
  needs: [...chromiumAndScreen, '/usr/bin/chromedriver'],
  open: (url, stage) =>
    openByWebDriver({ command: 'chromedriver', capabilities: { 'goog:chromeOptions': options } }, url, stage),
})

const undetected = {
  ignoreDefaultArgs: ['--enable-automation'],
  args: ['--disable-blink-features=AutomationControlled'],
}

export const automated: readonly Scenario[] = [
  playwright('headless', {}),
  playwright('headed', { launch: { headless: false } }),
  playwright('automation-controlled-off', { launch: { headless: false, ...undetected } }),
  playwright('as-iphone', { context: devices['iPhone 15']! }, programInDisguise),
  playwright('disguised', { launch: undetected, disguise }, programInDisguise),
  playwright('canvas-noise', { launch: { headless: false }, disguise: canvasNoise }, programInDisguise),
  {
    name: 'playwright-stealth-plugin',
    ...program,
    needs: ['/usr/bin/chromium'],
    open: (url, stage) => openByPlaywright({ isStealthy: true }, url, stage),
  },
  {
    name: 'puppeteer-stealth-plugin',
    ...program,
    needs: ['/usr/bin/chromium'],
    open: (url, stage) => openByPuppeteer({ headless: true }, url, stage, { isStealthy: true }),
  },
  {
    name: 'puppeteer-headless',
    ...program,
    needs: ['/usr/bin/chromium'],
    open: (url, stage) => openByPuppeteer({ headless: true }, url, stage),
  },
  {
    name: 'puppeteer-disguised',
    ...program,
    needs: chromiumAndScreen,
    open: (url, stage) => openByPuppeteer({ headless: false, ...undetected }, url, stage),
  },
  headless('headless', []),
  headless('headless-dump-dom', ['--dump-dom', '--virtual-time-budget=20000']),
  headless('headless-clean-user-agent', [`--user-agent=${chromiumOnLinux}`]),
  headless('headless-large-window', [`--user-agent=${chromiumOnLinux}`, '--window-size=1280,800']),
  protocol('runtime-enabled', program, [['Page.enable'], ['Runtime.enable']]),
  // Attached without listening to any event: no page can detect it.
  protocol('silent', { kind: 'ordinary', expected: { incognito: false, privacySettings: false, tampering: false } }, [
    ['Page.enable'],
  ]),
  // What Playwright, Puppeteer and patchright do by default; patchright listens to nothing else.
  protocol('own-viewport', program, [
    ['Page.enable'],
    [
      'Emulation.setDeviceMetricsOverride',
      { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false, screenWidth: 1280, screenHeight: 720 },
    ],
  ]),
  protocol(
    'time-zone-override',
    {
      kind: 'spoofing',
      expected: { timezoneMismatch: true },
      zoneOfAddress: { timezone: 'America/New_York', country: 'US' },
    },
    [['Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' }]],
  ),
  protocol('spoofed-in-full', { kind: 'spoofing', expected: { tampering: true } }, [
    ['Network.enable'],
    [
      'Emulation.setUserAgentOverride',
      {
        userAgent: chromiumOnLinux.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64').replace('156', '150'),
        platform: 'Win32',
        userAgentMetadata: {
          brands: [
            { brand: 'Chromium', version: '150' },
            { brand: 'Not)A;Brand', version: '24' },
          ],
          fullVersionList: [{ brand: 'Chromium', version: '150.0.7800.1' }],
          platform: 'Windows',
          platformVersion: '15.0.0',
          architecture: 'x86',
          bitness: '64',
          model: '',
          mobile: false,
        },
      },
    ],
  ]),
  chromedriver('plain', { args: ['--no-sandbox'] }),
  chromedriver('disguised', {
    args: ['--no-sandbox', '--disable-blink-features=AutomationControlled'],
    excludeSwitches: ['enable-automation'],
  }),
  {
    name: 'firefox-bidi',
    ...program,
    needs: ['/usr/bin/firefox', '/usr/bin/Xvfb'],
    open: openByBidi,
  },
  {
    name: 'webkit-webdriver',
    ...program,
    needs: ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'],
    open: (url, stage) => openByWebDriver({ command: 'WebKitWebDriver', capabilities: {} }, url, stage),
  },
]

/** What stealth plug-ins do: replace revealing properties with proxies that look native. Runs in the page. */
function disguise(): void {
  const replace = (holder: object, name: string, value: unknown) => {
    const property = Object.getOwnPropertyDescriptor(holder, name)
    if (property?.get) {
      const get = new Proxy(property.get, { apply: () => value })
      Object.defineProperty(holder, name, { ...property, get })
    }
  }
  const scope = globalThis as unknown as { Navigator: { prototype: object } }
  replace(scope.Navigator.prototype, 'webdriver', false)
  replace(scope.Navigator.prototype, 'hardwareConcurrency', 8)
  replace(scope.Navigator.prototype, 'languages', ['en-GB', 'en'])
}

/** What anti-fingerprinting extensions do: shift colours and report another machine. Runs in the page. */
function canvasNoise(): void {
  type Read = (...args: number[]) => { data: Uint8ClampedArray }
  const scope = globalThis as unknown as {
    CanvasRenderingContext2D: { prototype: { getImageData: Read } }
    Navigator: { prototype: object }
  }
  const { prototype } = scope.CanvasRenderingContext2D
  const original = prototype.getImageData
  prototype.getImageData = function (this: unknown, ...args: number[]) {
    const image = original.apply(this as never, args)
    for (let index = 0; index < image.data.length; index += 50) image.data[index] = (image.data[index]! + 1) % 256
    return image
  }
  Object.defineProperty(scope.Navigator.prototype, 'hardwareConcurrency', { get: () => 12, configurable: true })
}
