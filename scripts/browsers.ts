// Which browsers do the tests run in? Chromium and Firefox of this machine; as root on Debian, missing ones are installed.

import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { type Browser as Chromium, chromium } from 'playwright-core'
import puppeteer, { type Browser as Firefox } from 'puppeteer-core'
import { whyNotInstalled } from './debian-packages.ts'

interface Program {
  readonly name: string
  /** Names its executable, where it stands elsewhere. */
  readonly variable: string
  readonly paths: readonly string[]
  readonly debianPackage: string
}

const programs = {
  chromium: {
    name: 'Chromium',
    variable: 'RINGFENCE_CHROMIUM',
    paths: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    debianPackage: 'chromium',
  },
  firefox: {
    name: 'Firefox',
    variable: 'RINGFENCE_FIREFOX',
    paths: ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    debianPackage: 'firefox-esr',
  },
} as const satisfies Record<string, Program>

/** Path of the executable. Throws an error that says what to install, where nothing is found and nothing may be installed. */
export async function browserPath(which: keyof typeof programs): Promise<string> {
  const program: Program = programs[which]
  const named = process.env[program.variable]
  if (named) return named
  const found = await firstExecutable(program.paths)
  if (found) return found
  const advice = await whyNotInstalled(program.debianPackage)
  const installed = await firstExecutable(program.paths)
  if (installed) return installed
  throw new Error(`${program.name} was not found: ${advice}, or name its executable in ${program.variable}`)
}

async function firstExecutable(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

/** A browser that does not answer for so long has fallen silent; a loaded machine takes a third of it at most. */
const silenceMs = 30_000

/** What ends with a test. */
export interface Ending {
  after(end: () => Promise<unknown>): void
}

/** Without the calls home of a browser that is started for the first time; without the sandbox where root may have none. */
const chromiumArguments = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** For Playwright, where a test launches it in a way of its own. */
export const chromiumOptions = async () => ({
  executablePath: await browserPath('chromium'),
  args: chromiumArguments,
})

/** A headless Chromium with a profile of its own. */
export async function launchChromium(t: Ending, more: readonly string[] = []): Promise<Chromium> {
  const { executablePath, args } = await chromiumOptions()
  const browser = await chromium.launch({ executablePath, args: [...args, ...more] })
  t.after(() => within(silenceMs, 'Closing Chromium', browser.close()))
  return browser
}

/** A headless Firefox with a profile of its own, driven by WebDriver BiDi. */
export async function launchFirefox(t: Ending, preferences: Readonly<Record<string, unknown>> = {}): Promise<Firefox> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: await browserPath('firefox'),
    headless: true,
    extraPrefsFirefox: { ...preferences },
    protocolTimeout: silenceMs,
  })
  t.after(async () => {
    // Asked to close it takes seconds, or falls silent; its profile is thrown away in any case.
    const firefox = browser.process()!
    const isRunning = firefox.exitCode === null && firefox.signalCode === null
    const ended = isRunning ? once(firefox, 'exit') : undefined
    firefox.kill('SIGKILL')
    await ended
  })
  return browser
}

/** Waits for what a browser does, but no longer than `limitMs`; then fails with `what` did not happen. */
export async function within<Result>(limitMs: number, what: string, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what} took more than ${limitMs} ms`)), limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
