// How does a person start a browser? As an ordinary user, with a used profile, and without automation switches.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endGroup, startAsPerson } from './display.ts'
import type { Stage } from './scenario.ts'

export type BrowserName = 'chromium' | 'firefox' | 'webkit'

/** How the browser is started, and what the person configured before. */
export interface Habits {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Chromium's preferences, as in its file Preferences. */
  readonly preferences?: object
  /** Firefox's settings, as in about:config. */
  readonly settings?: Readonly<Record<string, boolean | number | string>>
  /** The system language, as `de_DE`; built with localedef, since Debian installs none. */
  readonly locale?: string
  /** Font families that are not installed. */
  readonly withoutFonts?: readonly string[]
  /** Another executable, such as an older version. */
  readonly command?: string
  /** A folder with an existing profile; by default the profile is new. */
  readonly profile?: string
}

/** Turns off everything that the browser would download on its own. */
export const personalChromium = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
]

export const programs = {
  chromium: '/usr/bin/chromium',
  firefox: '/usr/bin/firefox',
  webkit: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
} as const satisfies Record<BrowserName, string>

/** Opens `url` in a browser whose profile is the stage's folder. */
export async function openAsPerson(name: BrowserName, url: string, habits: Habits, stage: Stage): Promise<void> {
  const { folder, display, after, started } = stage
  if (habits.profile) await goOnWith(habits.profile, folder)
  const args = [...(await prepare[name](folder, habits)), ...(habits.args ?? []), url]
  const { command = programs[name], withoutFonts = [], locale } = habits
  const environment = {
    ...(locale && (await systemIn(locale, folder))),
    ...(withoutFonts.length > 0 && (await fontsWithout(withoutFonts, folder))),
    ...habits.environment,
  }
  const browser = startAsPerson({ command, args, environment, folder, display })
  if (browser.pid !== undefined) started?.(browser.pid)
  after(() => endGroup(browser))
}

/** Writes the configuration, and returns the arguments that select the profile. */
const prepare: Record<BrowserName, (folder: string, habits: Habits) => Promise<string[]>> = {
  async chromium(folder, { preferences }) {
    if (preferences) await writePreferences(join(folder, 'profile'), preferences)
    return [...personalChromium, `--user-data-dir=${folder}/profile`]
  },
  async firefox(folder, { settings = {} }) {
    const lines = Object.entries(settings).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`)
    await writeFile(join(folder, 'user.js'), lines.join('\n'))
    return ['--no-remote', '--profile', folder]
  },
  webkit: async () => [],
}

/** Browsers run as another user, who must be able to write there. */
async function writePreferences(profile: string, preferences: object): Promise<void> {
  await mkdir(join(profile, 'Default'), { recursive: true })
  const file = join(profile, 'Default', 'Preferences')
  const chosen = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}
  await writeFile(file, JSON.stringify({ ...chosen, ...preferences }))
  for (const path of [profile, join(profile, 'Default'), file]) await chmod(path, 0o777)
}

/** The environment of a computer with other fonts. */
async function fontsWithout(families: readonly string[], folder: string): Promise<{ FONTCONFIG_FILE: string }> {
  const file = join(folder, 'fonts.conf')
  const rejected = families.map(
    (family) => `<pattern><patelt name="family"><string>${family}</string></patelt></pattern>`,
  )
  const folders = `<dir>/usr/share/fonts</dir><cachedir>${folder}/fonts</cachedir>`
  await writeFile(
    file,
    `<?xml version="1.0"?><fontconfig>${folders}<selectfont><rejectfont>${rejected.join('')}</rejectfont></selectfont></fontconfig>`,
  )
  return { FONTCONFIG_FILE: file }
}

async function systemIn(locale: string, folder: string): Promise<Readonly<Record<string, string>>> {
  const name = `${locale}.UTF-8`
  await promisify(execFile)('localedef', ['--inputfile', locale, '--charmap', 'UTF-8', join(folder, name)])
  return { LOCPATH: folder, LC_ALL: name, LANGUAGE: locale }
}

/** Copies the profile of a closed browser, without its lock files. */
async function goOnWith(profile: string, folder: string): Promise<void> {
  await copyFolder(profile, folder)
  const marks = ['profile/SingletonLock', 'profile/SingletonCookie', 'profile/SingletonSocket', 'lock', '.parentlock']
  for (const mark of marks) await rm(join(folder, mark), { force: true })
}

/** Copies owners, links and times as well, into an existing folder. */
export const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', `${from}/.`, to])
