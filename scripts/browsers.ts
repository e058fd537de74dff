// Which browsers do the tests run in? Chromium and Firefox of this machine; as root on Debian, missing ones are installed.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Browser as Chromium, chromium } from 'playwright-core'
import puppeteer, { type Browser as Firefox } from 'puppeteer-core'

const run = promisify(execFile)

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
  if (process.getuid?.() === 0 && (await firstExecutable(['/usr/bin/apt-get']))) {
    await installed(program.debianPackage)
    const path = await firstExecutable(program.paths)
    if (path) return path
  }
  throw new Error(`${program.name} was not found: install it, or name its executable in ${program.variable}`)
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

async function installed(debianPackage: string): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 1 << 26 }
  const aptGet = (...words: string[]) => run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...words], options)
  await aptGet('update')
  await aptGet('install', '--yes', '--no-install-recommends', debianPackage)
}

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

/** A headless Chromium with a profile of its own. */
export async function launchChromium(t: Ending, more: readonly string[] = []): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath: await browserPath('chromium'),
    args: [...chromiumArguments, ...more],
  })
  t.after(() => browser.close())
  return browser
}

/** A headless Firefox with a profile of its own, driven by WebDriver BiDi. */
export async function launchFirefox(t: Ending, preferences: Readonly<Record<string, unknown>> = {}): Promise<Firefox> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: await browserPath('firefox'),
    headless: true,
    extraPrefsFirefox: { ...preferences },
  })
  t.after(async () => {
    // It may fall silent while it closes; its process ends in any case.
    const ended = browser.process()!
    const exited = ended.exitCode === null ? once(ended, 'exit') : undefined
    const kill = setTimeout(() => ended.kill('SIGKILL'), 5_000)
    browser.close().catch(() => {})
    await exited
    clearTimeout(kill)
  })
  return browser
}
