// Which scenarios are there? Ordinary browsers first, then private windows, settings, disguises, and programs.

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devices } from 'playwright-core'
import { automated } from './automated.ts'
import { endGroup, startAsPerson } from './display.ts'
import { type Expectation, ordinary, type Scenario, type Stage } from './scenario.ts'

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const chromiumOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'
const safariOnIphone = devices['iPhone 15']!.userAgent

/** A Chromium as a person starts it: no switch of automation, and nothing that it would load of its own accord. */
export const personal = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
]

interface Variant {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Where the profile lies; otherwise in the folder of the scenario. */
  readonly profileIn?: string
  readonly delayMs?: number
  /** What the person chose in the browser before. */
  readonly preferences?: object
}

function chromium(name: string, expected: Expectation, variant: Variant = {}, more: Partial<Scenario> = {}): Scenario {
  return {
    name: `chromium-${name}`,
    expected,
    needs: ['/usr/bin/chromium', '/usr/bin/Xvfb'],
    ...more,
    async open(url, { folder, display, after }) {
      const profile = variant.profileIn ? await folderOn(variant.profileIn, after) : folder
      if (variant.preferences) await writePreferences(join(profile, 'profile'), variant.preferences)
      const args = [...personal, `--user-data-dir=${profile}/profile`, ...(variant.args ?? [])]
      const address = `${url}?delayMs=${variant.delayMs ?? 500}`
      const environment = variant.environment ?? {}
      const browser = startAsPerson({ command: 'chromium', args: [...args, address], environment, folder, display })
      after(() => endGroup(browser))
    },
  }
}

function firefox(
  name: string,
  expected: Expectation,
  args: readonly string[] = [],
  preferences: Readonly<Record<string, boolean | string>> = {},
): Scenario {
  return {
    name: `firefox-${name}`,
    expected,
    needs: ['/usr/bin/firefox', '/usr/bin/Xvfb'],
    async open(url, { folder, display, after }) {
      const lines = Object.entries(preferences).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`)
      await writeFile(join(folder, 'user.js'), lines.join('\n'))
      const browser = startAsPerson({
        command: 'firefox',
        args: ['--no-remote', '--profile', folder, ...args, url],
        folder,
        display,
      })
      after(() => endGroup(browser))
    },
  }
}

function webkit(name: string, expected: Expectation, args: readonly string[] = []): Scenario {
  return {
    name: `webkit-${name}`,
    expected,
    needs: [miniBrowser, '/usr/bin/Xvfb'],
    async open(url, { folder, display, after }) {
      const browser = startAsPerson({ command: miniBrowser, args: [...args, url], folder, display })
      after(() => endGroup(browser))
    },
  }
}

/** Browsers run as another user, who goes on writing there. */
async function writePreferences(profile: string, preferences: object): Promise<void> {
  await mkdir(join(profile, 'Default'), { recursive: true })
  const file = join(profile, 'Default', 'Preferences')
  await writeFile(file, JSON.stringify(preferences))
  for (const path of [profile, join(profile, 'Default'), file]) await chmod(path, 0o777)
}

async function folderOn(parent: string, after: Stage['after']): Promise<string> {
  const folder = await mkdtemp(join(parent, 'scenario-'))
  await chmod(folder, 0o777)
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const inIndia = { timezone: 'Asia/Kolkata', country: 'IN' }

export const scenarios: readonly Scenario[] = [
  chromium('ordinary', { ...ordinary, developerTools: false }),
  chromium('open-port', { ...ordinary, developerTools: false }, { args: ['--remote-debugging-port=29222'] }),
  chromium('on-ram-disk', ordinary, { profileIn: '/dev/shm' }),
  chromium('large-type', ordinary, { args: ['--force-device-scale-factor=1.5'] }),
  chromium('small-window', ordinary, { args: ['--window-size=500,400'] }),
  chromium('german', ordinary, { environment: { LANGUAGE: 'de_DE', TZ: 'Europe/Berlin' } }),
  chromium(
    'at-home',
    { ...ordinary, timezoneMismatch: false },
    { environment: { TZ: 'Asia/Calcutta' } },
    { zoneOfAddress: inIndia },
  ),
  chromium(
    'elsewhere',
    { ...ordinary, timezoneMismatch: true },
    { environment: { TZ: 'America/New_York' } },
    { zoneOfAddress: inIndia },
  ),
  chromium(
    'developer-tools',
    { ...ordinary, developerTools: true },
    { args: ['--auto-open-devtools-for-tabs'], delayMs: 4000 },
  ),
  chromium(
    'developer-tools-in-a-window',
    { ...ordinary, developerTools: true },
    {
      args: ['--auto-open-devtools-for-tabs'],
      delayMs: 4000,
      preferences: { devtools: { preferences: { currentDockState: '"undocked"' } } },
    },
  ),
  firefox('ordinary', ordinary),
  firefox('developer-tools', ordinary, ['--devtools']),
  webkit('ordinary', ordinary),
  chromium('incognito', { ...ordinary, incognito: true }, { args: ['--incognito'] }),
  chromium('guest', { ...ordinary, incognito: true }, { args: ['--guest'] }),
  firefox('private', { ...ordinary, incognito: true }, ['--private-window']),
  webkit('private', { ...ordinary, incognito: true }, ['--private']),
  firefox('resist-fingerprinting', { ...ordinary, privacySettings: true }, [], {
    'privacy.resistFingerprinting': true,
  }),
  chromium('user-agent-flag', { ...ordinary, tampering: true }, { args: [`--user-agent=${chromiumOnWindows}`] }),
  chromium('as-iphone', { ...ordinary, tampering: true }, { args: [`--user-agent=${safariOnIphone}`] }),
  firefox('user-agent-override', { bot: 'notDetected', privacySettings: false, tampering: true }, [], {
    'general.useragent.override': chromiumOnWindows,
  }),
  ...automated,
]
