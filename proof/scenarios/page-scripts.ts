// Which scripts do pages run before the SDK? Real libraries that wrap functions of the browser, and clocks that stand still or lie.

import { bundleForBrowsers } from '../../scripts/build-browser-sdk.ts'

/** Packages of npm, started as their guides say, with everything switched on that wraps. No server answers them. */
const libraries = {
  rrweb: `import { record } from 'rrweb'
    record({ emit() {}, recordCanvas: true, collectFonts: true })`,
  'rrweb-sampling': `import { record } from 'rrweb'
    record({ emit() {}, recordCanvas: true, sampling: { canvas: 15 } })`,
  sentry: `import * as Sentry from '@sentry/browser'
    Sentry.init({
      dsn: 'https://key@localhost/1',
      integrations: [Sentry.browserTracingIntegration(), Sentry.replayIntegration(), Sentry.replayCanvasIntegration()],
      tracesSampleRate: 1,
      replaysSessionSampleRate: 1,
    })`,
  datadog: `import { datadogRum } from '@datadog/browser-rum'
    datadogRum.init({
      applicationId: 'a',
      clientToken: 'b',
      site: 'datadoghq.com',
      sessionReplaySampleRate: 100,
      trackUserInteractions: true,
    })
    datadogRum.startSessionReplayRecording()`,
  'elastic-apm': `import { init } from '@elastic/apm-rum'
    init({ serviceName: 'page', serverUrl: location.origin })`,
  clarity: `import * as clarity from 'clarity-js'
    clarity.start({ projectId: 'p', upload() {}, content: true })`,
  zone: `import 'zone.js'
    import 'zone.js/plugins/zone-patch-canvas'
    import 'zone.js/plugins/webapis-media-query'
    import 'zone.js/plugins/zone-patch-message-port'
    import 'zone.js/plugins/zone-error'`,
  'core-js': `import 'core-js/full'`,
  mockdate: `import { set } from 'mockdate'
    set('2024-02-29T12:00:00Z')`,
  timekeeper: `import timekeeper from 'timekeeper'
    timekeeper.travel(new Date('2024-02-29T12:00:00Z'))`,
  'fake-timers': `import { install } from '@sinonjs/fake-timers'
    install({ now: 1.7e12, shouldAdvanceTime: true })`,
} as const

/** What a page, or a program that drives it, may do to the clock. */
const clocks = {
  'still-clock': `Performance.prototype.now = () => 1000`,
  'slow-clock': `const { now } = performance
    performance.now = () => now.call(performance) / 50`,
  // Goes faster while promises are awaited, as if developer tools followed them.
  'uneven-clock': `const { now } = performance
    let ahead = 0
    performance.now = () => {
      let ticks = 1000
      const tick = () => (ahead++, ticks-- > 0 && Promise.resolve().then(tick))
      Promise.resolve().then(tick)
      return now.call(performance) + ahead
    }`,
  'busy-page': `setInterval(() => { const end = performance.now() + 400; while (performance.now() < end); }, 401)`,
} as const

const scripts = { ...libraries, ...clocks }

export type PageScript = keyof typeof scripts
export const libraryScripts = Object.keys(libraries) as (keyof typeof libraries)[]
export const clockScripts = Object.keys(clocks) as (keyof typeof clocks)[]

/** As one script for a tag. */
export const textOf = (name: PageScript): Promise<string> =>
  bundleForBrowsers({
    stdin: { contents: scripts[name], resolveDir: import.meta.dirname, loader: 'ts' },
    format: 'iife',
    external: ['util', 'timers', 'timers/promises'], // of Node, where a library runs in both
    logLevel: 'error',
  })
