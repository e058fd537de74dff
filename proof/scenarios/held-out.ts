// Which scenarios were added after tuning? No signal was tuned on them; they are reported separately.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { protocol } from './automated.ts'
import { endGroup, startAsPerson } from './display.ts'
import { openProtocol } from './drivers/debugging-protocol.ts'
import { openByWebDriver } from './drivers/webdriver.ts'
import { person } from './list.ts'
import { openAsPerson, personalChromium, programs } from './people.ts'
import { ordinary, type Scenario, type Stage } from './scenario.ts'

const somebody = { kind: 'ordinary', expected: ordinary } as const
const unseen = { kind: 'private', expected: { ...ordinary, incognito: true } } as const
const pretender = { kind: 'spoofing', expected: { tampering: true } } as const
const program = { kind: 'bot', expected: { bot: 'bad' } } as const
const chromiumAndScreen = [programs.chromium, '/usr/bin/Xvfb']
const plainUserAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const safariOnMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

/** A phone as developer tools emulate it; client hints with the brands that this version really sends. */
const asAndroid = [
  ['Emulation.setDeviceMetricsOverride', { width: 412, height: 915, deviceScaleFactor: 2.6, mobile: true }],
  ['Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }],
  [
    'Emulation.setUserAgentOverride',
    {
      userAgent: plainUserAgent.replace('X11; Linux x86_64', 'Linux; Android 10; K').replace('Safari', 'Mobile Safari'),
      platform: 'Linux armv81',
      userAgentMetadata: {
        brands: [
          { brand: 'Not:A-Brand', version: '8' },
          { brand: 'Chromium', version: '156' },
        ],
        fullVersionList: [{ brand: 'Chromium', version: '156.0.8078.79' }],
        platform: 'Android',
        platformVersion: '14',
        architecture: '',
        model: 'Pixel 8',
        mobile: true,
      },
    },
  ],
] as const

/** Strict tracking protection, as people turn it on in Firefox's settings. */
const strictProtection = {
  'browser.contentblocking.category': 'strict',
  'privacy.trackingprotection.enabled': true,
  'privacy.fingerprintingProtection': true,
  'network.cookie.cookieBehavior': 5,
}

/** A Chromium with an extension, whose files but the manifest are scripts. */
function withExtension(
  name: string,
  told: Pick<Scenario, 'kind' | 'expected'>,
  { manifest, scripts, args = [] }: { manifest: object; scripts: Record<string, string>; args?: readonly string[] },
): Scenario {
  return {
    name: `chromium-${name}`,
    ...told,
    needs: chromiumAndScreen,
    async open(url, stage) {
      const extension = join(stage.folder, 'extension')
      await mkdir(extension, { recursive: true })
      const whole = { manifest_version: 3, name, version: '1.0', ...manifest }
      await writeFile(join(extension, 'manifest.json'), JSON.stringify(whole))
      for (const [file, script] of Object.entries(scripts)) await writeFile(join(extension, file), script)
      const loading = [
        '--enable-remote-extensions', // else Debian's start script loads no extension
        `--load-extension=${extension}`,
        '--disable-features=DisableLoadExtensionCommandLineSwitch',
      ]
      // The first page may load before the extensions do.
      const waiting = `data:text/html,<meta http-equiv="refresh" content="2;url=${url}">`
      await openAsPerson('chromium', waiting, { args: [...loading, ...args] }, stage)
    },
  }
}

/** An extension whose script runs before the scripts of every page, to make the browser look like another one. */
const disguising = (name: string, script: () => void, args: readonly string[] = []) =>
  withExtension(
    name,
    { kind: 'spoofing', expected: { bot: 'notDetected', incognito: false, tampering: true } },
    {
      manifest: {
        content_scripts: [
          { matches: ['<all_urls>'], js: ['script.js'], run_at: 'document_start', world: 'MAIN', all_frames: true },
        ],
      },
      scripts: { 'script.js': `(${script})()` },
      args,
    },
  )

/** What AI agents in an extension do: they attach the debugger to the tab of the person, read the page and move the mouse. */
function agent(): void {
  interface Target {
    readonly tabId: number
  }
  type Listener = (tabId: number, change: { status?: string }, tab: { url?: string }) => void
  const { chrome } = globalThis as unknown as {
    chrome: {
      debugger: {
        attach(target: Target, version: string): Promise<void>
        sendCommand(target: Target, method: string, params?: object): Promise<object>
      }
      tabs: { onUpdated: { addListener(listener: Listener): void } }
    }
  }
  chrome.tabs.onUpdated.addListener(async (tabId, { status }, { url = '' }) => {
    if (status !== 'loading' || !url.startsWith('http')) return
    await chrome.debugger.attach({ tabId }, '1.3')
    for (const domain of ['Page', 'DOM', 'Accessibility', 'Runtime', 'Network']) {
      await chrome.debugger.sendCommand({ tabId }, `${domain}.enable`)
    }
    await chrome.debugger.sendCommand({ tabId }, 'Input.dispatchMouseEvent', { type: 'mouseMoved', x: 120, y: 80 })
  })
}

export const heldOut: readonly Scenario[] = [
  person('chromium', 'forced-colours-dark', { ...somebody, args: ['--force-dark-mode', '--force-high-contrast'] }),
  // Whether its window is private is not known then, and not reported.
  person('chromium', 'without-storage', {
    kind: 'ordinary',
    expected: { bot: 'notDetected', privacySettings: false, tampering: false },
    preferences: { profile: { default_content_setting_values: { cookies: 2 } } },
  }),
  person('chromium', 'kiosk', { ...somebody, args: ['--kiosk'] }),
  person('chromium', 'without-jit', { ...somebody, args: ['--js-flags=--jitless'] }),
  person('firefox', 'strict-protection', {
    kind: 'ordinary',
    expected: { bot: 'notDetected', incognito: false, tampering: false },
    settings: strictProtection,
  }),
  person('firefox', 'private-strict-protection', {
    kind: 'private',
    expected: { bot: 'notDetected', incognito: true, tampering: false },
    settings: strictProtection,
    args: ['--private-window'],
  }),
  person('webkit', 'without-jit', { ...somebody, environment: { JSC_useJIT: '0' } }),
  { ...person('chromium', 'hidden-frame', somebody), isFramed: true },
  person('chromium', 'other-fonts', { ...somebody, withoutFonts: ['DejaVu Sans', 'DejaVu Sans Mono'] }),
  withExtension(
    'agent-extension',
    { kind: 'bot', expected: { bot: 'bad', botCategory: 'browserAgent', incognito: false, tampering: false } },
    {
      manifest: {
        permissions: ['debugger', 'tabs'],
        host_permissions: ['<all_urls>'],
        background: { service_worker: 'agent.js' },
      },
      scripts: { 'agent.js': `(${agent})()` },
    },
  ),
  disguising('canvas-noise-extension', canvasNoise),
  disguising('graphics-extension', otherGraphics, ['--enable-unsafe-swiftshader']),
  disguising('navigator-proxy-extension', proxiedNavigator),
  disguising('time-zone-extension', anotherTimeZone),
  {
    name: 'chromedriver-patched',
    ...program,
    needs: [...chromiumAndScreen, '/usr/bin/chromedriver'],
    async open(url, stage) {
      const command = join(stage.folder, 'chromedriver')
      const patched = (await readFile('/usr/bin/chromedriver')).toString('latin1').replaceAll('cdc_', 'abc_')
      await writeFile(command, Buffer.from(patched, 'latin1'), { mode: 0o755 })
      const options = {
        args: ['--no-sandbox', '--disable-blink-features=AutomationControlled'],
        excludeSwitches: ['enable-automation'],
      }
      await openByWebDriver({ command, capabilities: { 'goog:chromeOptions': options } }, url, stage)
    },
  },
  protocol('headless-large-screen', program, [], {
    args: ['--headless', '--screen-info={1920x1080}', '--window-size=1600,900', `--user-agent=${plainUserAgent}`],
  }),
  firefoxHeadless('headless', [], {}),
  firefoxHeadless('headless-chosen-screen', ['--window-size', '1200,700'], {
    MOZ_HEADLESS_WIDTH: '1920',
    MOZ_HEADLESS_HEIGHT: '1080',
  }),
  person('firefox', 'always-private', { ...unseen, settings: { 'browser.privatebrowsing.autostart': true } }),
  person('chromium', 'incognito-with-developer-tools', {
    kind: 'private',
    expected: { ...ordinary, incognito: true, developerTools: true },
    args: ['--incognito', '--auto-open-devtools-for-tabs'],
    delayMs: 4000,
  }),
  person('webkit', 'as-chromium', { ...pretender, args: [`--user-agent=${plainUserAgent}`] }),
  person('webkit', 'as-safari-of-a-mac', { ...pretender, args: [`--user-agent=${safariOnMac}`] }),
  protocol('as-android', pretender, asAndroid),
  protocol('other-cores', pretender, [['Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: 16 }]]),
  person('firefox', 'marionette', { ...program, args: ['--marionette'] }),
  overProtocol('playwright', async (port, url, { after }) => {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    after(() => browser.close())
    await browser.contexts()[0]!.pages()[0]!.goto(url)
  }),
  overProtocol('puppeteer', async (port, url, { after }) => {
    const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null })
    after(() => browser.disconnect())
    await (await browser.pages())[0]!.goto(url)
  }),
]

function firefoxHeadless(
  name: string,
  more: readonly string[],
  environment: Readonly<Record<string, string>>,
): Scenario {
  return {
    name: `firefox-${name}`,
    ...program,
    needs: [programs.firefox],
    async open(url, { folder, display, after }) {
      const args = ['--headless', ...more, '--no-remote', '--profile', folder, url]
      const browser = startAsPerson({ command: programs.firefox, args, environment, folder, display })
      after(() => endGroup(browser))
    },
  }
}

/** A library that attaches to a browser which a person started with a debugging port. */
function overProtocol(name: string, drive: (port: number, url: string, stage: Stage) => Promise<void>): Scenario {
  return {
    name: `${name}-over-a-port`,
    ...program,
    needs: chromiumAndScreen,
    async open(url, stage) {
      const { port, close } = await openProtocol(personalChromium, stage)
      close()
      await drive(port, url, stage)
    },
  }
}

/** Shifts a few colours of everything read from a canvas. Runs in the page. */
function canvasNoise(): void {
  type Read = (this: unknown, ...args: number[]) => { data: Uint8ClampedArray }
  const scope = globalThis as unknown as Record<
    'CanvasRenderingContext2D' | 'OffscreenCanvasRenderingContext2D',
    { prototype: { getImageData: Read } }
  >
  for (const { prototype } of [scope.CanvasRenderingContext2D, scope.OffscreenCanvasRenderingContext2D]) {
    const original = prototype.getImageData
    prototype.getImageData = new Proxy(original, {
      apply(target, self, args) {
        const image = Reflect.apply(target, self, args) as { data: Uint8ClampedArray }
        for (let index = 3; index < image.data.length; index += 97) image.data[index] = image.data[index]! ^ 1
        return image
      },
    })
  }
}

/** Reports another graphics card. Runs in the page. */
function otherGraphics(): void {
  type Parameter = (this: unknown, name: number) => unknown
  const scope = globalThis as unknown as Record<
    'WebGLRenderingContext' | 'WebGL2RenderingContext',
    { prototype: { getParameter: Parameter } }
  >
  for (const { prototype } of [scope.WebGLRenderingContext, scope.WebGL2RenderingContext]) {
    const original = prototype.getParameter
    const told: Record<number, string> = { 37445: 'Google Inc. (NVIDIA)', 37446: 'ANGLE (NVIDIA, GeForce RTX 4070)' }
    prototype.getParameter = {
      getParameter(this: unknown, name: number) {
        return told[name] ?? original.call(this, name)
      },
    }.getParameter
  }
}

/** Moves the page to another time zone, with functions that look native; its workers stay. Runs in the page. */
function anotherTimeZone(): void {
  type Options = { timeZone: string }
  const formats = Intl.DateTimeFormat.prototype as unknown as { resolvedOptions(): Options }
  formats.resolvedOptions = new Proxy(formats.resolvedOptions, {
    apply: (target, self) => ({ ...(Reflect.apply(target, self, []) as Options), timeZone: 'Asia/Tokyo' }),
  })
  Date.prototype.getTimezoneOffset = new Proxy(Date.prototype.getTimezoneOffset, { apply: () => -540 })
}

/** Replaces the navigator object. Runs in the page. */
function proxiedNavigator(): void {
  const scope = globalThis as unknown as { navigator: object }
  const original = scope.navigator
  const told: Record<string | symbol, unknown> = { hardwareConcurrency: 16, deviceMemory: 32, platform: 'Win32' }
  const proxy = new Proxy(original, {
    get(target, name) {
      if (name in told) return told[name]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  Object.defineProperty(scope, 'navigator', { get: () => proxy, configurable: true })
}
