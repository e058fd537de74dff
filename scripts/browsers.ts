// Which browsers do the tests use? Chromium and Firefox of this machine; on Debian as root, missing ones are installed.

import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { type Browser as Chromium, chromium } from 'playwright-core'
import puppeteer, { type Browser as Firefox } from 'puppeteer-core'
import { whyMissing } from './debian-packages.ts'

interface Program {
  readonly name: string
  /** Environment variable with the path of the executable, where it is in another place. */
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

/** Path of the executable. Throws an error that says what to install when the browser is missing and cannot be installed. */
async function browserPath(which: keyof typeof programs): Promise<string> {
  const program: Program = programs[which]
  const named = process.env[program.variable]
  if (named) return named
  const found = () => firstExecutable(program.paths)
  const advice = await whyMissing(async () => (await found()) !== undefined, program.debianPackage)
  const path = await found()
  if (path) return path
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

/** A browser that does not close for this long hangs; a busy machine takes a third of it at most. */
const silenceMs = 30_000
/** The same for its start, and for an answer: tests wait in the page for up to a minute. */
const answerMs = 90_000

/** Closes things at the end of a test. */
export interface Ending {
  after(end: () => Promise<unknown>): void
}

/** No first-run network calls; no sandbox for root, which may not have one. */
const chromiumArguments = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** For Playwright, where a test launches the browser itself. */
export const chromiumOptions = async () => ({
  executablePath: await browserPath('chromium'),
  args: chromiumArguments,
})

/** A headless Chromium with a fresh profile. */
export async function launchChromium(t: Ending, more: readonly string[] = []): Promise<Chromium> {
  const { executablePath, args } = await chromiumOptions()
  const browser = await chromium.launch({ executablePath, args: [...args, ...more] })
  t.after(() => within(silenceMs, 'Closing Chromium', browser.close()))
  return browser
}

/** A headless Firefox with a fresh profile, driven by WebDriver BiDi. */
export async function launchFirefox(t: Ending, preferences: Readonly<Record<string, unknown>> = {}): Promise<Firefox> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: await browserPath('firefox'),
    headless: true,
    extraPrefsFirefox: { ...preferences },
    timeout: answerMs,
    protocolTimeout: answerMs,
  })
  t.after(async () => {
    // A normal close takes seconds or hangs; the profile is deleted in any case.
    const firefox = browser.process()!
    const isRunning = firefox.exitCode === null && firefox.signalCode === null
    const ended = isRunning ? once(firefox, 'exit') : undefined
    firefox.kill('SIGKILL')
    await ended
  })
  return browser
}

/** Waits for a browser, but at most `limitMs`; then it throws, and the message begins with `what`. */
export async function within<Result>(limitMs: number, what: string, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what} took more than ${limitMs} ms`)), limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
