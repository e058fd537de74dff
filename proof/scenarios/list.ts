// Which scenarios exist? Ordinary browsers first, then private windows, settings, disguises, and programs.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { devices } from 'playwright-core'
import { automated } from './automated.ts'
import { type BrowserName, type Habits, openAsPerson, programs } from './people.ts'
import { ordinary, type Scenario, type Stage } from './scenario.ts'

const chromiumOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'
const firefoxOnWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const safariOnIphone = devices['iPhone 15']!.userAgent

interface Person
  extends Habits,
    Pick<Scenario, 'kind' | 'expected'>,
    Pick<Partial<Scenario>, 'zoneOfAddress' | 'delayMs'> {
  /** Folder of the profile; by default the folder of the scenario. */
  readonly profileIn?: string
}

/** A browser as a person starts it. */
export function person(
  browser: BrowserName,
  name: string,
  { kind, expected, zoneOfAddress, delayMs, profileIn, ...habits }: Person,
): Scenario {
  return {
    name: `${browser}-${name}`,
    kind,
    expected,
    needs: [programs[browser], '/usr/bin/Xvfb'],
    ...(zoneOfAddress && { zoneOfAddress }),
    ...(delayMs && { delayMs }),
    async open(url, stage) {
      const folder = profileIn ? await folderOn(profileIn, stage.after) : stage.folder
      await openAsPerson(browser, url, habits, { ...stage, folder })
    },
  }
}

async function folderOn(parent: string, after: Stage['after']): Promise<string> {
  const folder = await mkdtemp(join(parent, 'scenario-'))
  await chmod(folder, 0o777)
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const inIndia = { timezone: 'Asia/Kolkata', country: 'IN' }
const somebody = { kind: 'ordinary', expected: ordinary } as const
const unseen = { kind: 'private', expected: { ...ordinary, incognito: true } } as const
const pretender = { kind: 'spoofing', expected: { ...ordinary, tampering: true } } as const
const developer = {
  kind: 'ordinary',
  expected: { ...ordinary, developerTools: true },
  args: ['--auto-open-devtools-for-tabs'],
  delayMs: 4000,
} as const

export const scenarios: readonly Scenario[] = [
  person('chromium', 'ordinary', { kind: 'ordinary', expected: { ...ordinary, developerTools: false } }),
  person('chromium', 'open-port', {
    kind: 'ordinary',
    expected: { ...ordinary, developerTools: false },
    args: ['--remote-debugging-port=29222'],
  }),
  person('chromium', 'on-ram-disk', { ...somebody, profileIn: '/dev/shm' }),
  person('chromium', 'without-webgl-in-utc', { ...somebody, args: ['--disable-3d-apis'], environment: { TZ: 'UTC' } }),
  person('chromium', 'large-type', { ...somebody, args: ['--force-device-scale-factor=1.5'] }),
  person('chromium', 'small-window', { ...somebody, args: ['--window-size=500,400'] }),
  person('chromium', 'german', { ...somebody, environment: { LANGUAGE: 'de_DE', TZ: 'Europe/Berlin' } }),
  person('chromium', 'at-home', {
    kind: 'ordinary',
    expected: { ...ordinary, timezoneMismatch: false },
    environment: { TZ: 'Asia/Calcutta' },
    zoneOfAddress: inIndia,
  }),
  person('chromium', 'elsewhere', {
    kind: 'ordinary',
    expected: { ...ordinary, timezoneMismatch: true },
    environment: { TZ: 'America/New_York' },
    zoneOfAddress: inIndia,
  }),
  person('chromium', 'developer-tools', developer),
  person('chromium', 'developer-tools-in-a-window', {
    ...developer,
    preferences: { devtools: { preferences: { currentDockState: '"undocked"' } } },
  }),
  person('firefox', 'ordinary', somebody),
  person('firefox', 'developer-tools', { ...somebody, args: ['--devtools'] }),
  person('firefox', 'without-webgl-in-utc', {
    ...somebody,
    settings: { 'webgl.disabled': true },
    environment: { TZ: 'UTC' },
  }),
  person('webkit', 'ordinary', somebody),
  person('chromium', 'incognito', { ...unseen, args: ['--incognito'] }),
  person('chromium', 'guest', { ...unseen, args: ['--guest'] }),
  person('firefox', 'private', { ...unseen, args: ['--private-window'] }),
  person('webkit', 'private', { ...unseen, args: ['--private'] }),
  // A privacy choice of a person, not the disguise of a fraudster.
  person('firefox', 'resist-fingerprinting', {
    kind: 'ordinary',
    expected: { ...ordinary, privacySettings: true },
    settings: { 'privacy.resistFingerprinting': true },
  }),
  person('chromium', 'user-agent-flag', { ...pretender, args: [`--user-agent=${chromiumOnWindows}`] }),
  person('chromium', 'as-iphone', { ...pretender, args: [`--user-agent=${safariOnIphone}`] }),
  person('firefox', 'user-agent-override', {
    kind: 'spoofing',
    expected: { bot: 'notDetected', privacySettings: false, tampering: true },
    settings: { 'general.useragent.override': chromiumOnWindows },
  }),
  person('firefox', 'as-windows', {
    ...pretender,
    settings: {
      'general.useragent.override': firefoxOnWindows,
      'general.platform.override': 'Win32',
      'general.oscpu.override': 'Windows NT 10.0; Win64; x64',
      'general.appversion.override': '5.0 (Windows)',
    },
  }),
  ...automated,
]
