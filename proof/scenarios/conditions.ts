// In which conditions is a device still the same, and which devices are different although their browsers look alike?

import type { ScreenSize } from './display.ts'
import type { BrowserName, Habits } from './people.ts'
import type { Kind } from './scenario.ts'

export interface Condition {
  readonly name: string
  readonly browser: BrowserName
  /** What differs from the day before. */
  readonly habits: Habits
  readonly kind: Kind
  /** The profile of the day before is gone, and its storage with it. */
  readonly isNewProfile?: boolean
  /** The page is reloaded, and the second load is judged. */
  readonly isReloaded?: boolean
  /** The day before, the browser was Debian's previous version. */
  readonly isUpdated?: boolean
  readonly screen?: ScreenSize
  readonly isAway?: boolean
  /** Only the IP address differs, as on another ISP's network. */
  readonly isAtHomeTime?: boolean
  readonly delayMs?: number
}

/** At home: the network of the day before. Documentation addresses (RFC 5737) belong to nobody. */
export const home = { zone: 'Asia/Kolkata', address: '203.0.113.7' } as const
export const away = { zone: 'America/New_York', address: '198.51.100.23' } as const

type More = Omit<Condition, 'name' | 'browser' | 'habits' | 'kind'> & { readonly isPrivate?: boolean }

const of = (browser: BrowserName, name: string, habits: Habits = {}, { isPrivate, ...more }: More = {}): Condition => ({
  name: `${browser}-${name}`,
  browser,
  habits,
  kind: isPrivate ? 'private' : 'ordinary',
  ...more,
})

/** Levels are powers of 1.2. (components/zoom) */
const zoomed = { partition: { default_zoom_level: { x: Math.log(1.5) / Math.log(1.2) } } }

/** Thirty-three. */
export const conditions: readonly Condition[] = [
  of('chromium', 'reloaded', {}, { isReloaded: true }),
  of('chromium', 'resized', { args: ['--window-size=900,600'] }),
  of('chromium', 'zoomed', { preferences: zoomed }),
  of('chromium', 'restarted'),
  of('chromium', 'new-profile', {}, { isNewProfile: true }),
  of('chromium', 'private-window', { args: ['--incognito'] }, { isPrivate: true }),
  of('chromium', 'guest-window', { args: ['--guest'] }, { isPrivate: true }),
  of('chromium', 'other-monitor', {}, { screen: '1920x1080' }),
  of('chromium', 'dense-monitor', { args: ['--force-device-scale-factor=2'] }, { screen: '2560x1600' }),
  of('chromium', 'travelling', {}, { isAway: true }),
  of('chromium', 'other-network', {}, { isAway: true, isAtHomeTime: true }),
  of('chromium', 'other-languages', { preferences: { intl: { accept_languages: 'de-DE,de,en' } } }),
  of('chromium', 'with-developer-tools', { args: ['--auto-open-devtools-for-tabs'] }, { delayMs: 4000 }),
  of('chromium', 'updated', {}, { isUpdated: true }),
  of('firefox', 'reloaded', {}, { isReloaded: true }),
  of('firefox', 'resized', { args: ['--width', '900', '--height', '600'] }),
  of('firefox', 'zoomed', { settings: { 'layout.css.devPixelsPerPx': '1.5' } }),
  of('firefox', 'restarted'),
  of('firefox', 'new-profile', {}, { isNewProfile: true }),
  of('firefox', 'private-window', { args: ['--private-window'] }, { isPrivate: true }),
  of('firefox', 'other-monitor', {}, { screen: '1920x1080' }),
  of('firefox', 'travelling', {}, { isAway: true }),
  of('firefox', 'other-languages', { settings: { 'intl.accept_languages': 'de-DE, de, en' } }),
  of('firefox', 'with-developer-tools', { args: ['--devtools'] }, { delayMs: 4000 }),
  of('firefox', 'updated', {}, { isUpdated: true }),
  of('webkit', 'reloaded', {}, { isReloaded: true }),
  of('webkit', 'resized', { args: ['--geometry=700x500'] }),
  of('webkit', 'restarted'),
  of('webkit', 'new-profile', {}, { isNewProfile: true }),
  of('webkit', 'private-window', { args: ['--private'] }, { isPrivate: true }),
  of('webkit', 'other-monitor', {}, { screen: '1920x1080' }),
  of('webkit', 'travelling', {}, { isAway: true }),
  of('webkit', 'other-languages', { locale: 'de_DE' }),
]

const otherFonts = ['DejaVu Sans', 'DejaVu Serif', 'Noto Sans', 'Liberation Sans']
const german = { intl: { accept_languages: 'de-DE,de,en' } }
const otherComputer = { isNewProfile: true, screen: '1920x1080' } as const

/** Other computers with the same browser: one abroad, and the second one of a household. */
export const strangers: readonly Condition[] = [
  of(
    'chromium',
    'of-a-stranger',
    { args: ['--enable-unsafe-swiftshader', '--force-dark-mode'], preferences: german, withoutFonts: otherFonts },
    { ...otherComputer, isAway: true },
  ),
  of(
    'chromium',
    'second-at-home',
    { args: ['--enable-unsafe-swiftshader', '--force-device-scale-factor=1.25'], withoutFonts: otherFonts },
    otherComputer,
  ),
  of(
    'firefox',
    'of-a-stranger',
    {
      settings: { 'intl.accept_languages': 'de-DE, de, en' },
      withoutFonts: otherFonts,
    },
    { ...otherComputer, isAway: true },
  ),
  of(
    'firefox',
    'second-at-home',
    {
      settings: { 'webgl.override-unmasked-renderer': 'NVIDIA GeForce GTX 980' },
      withoutFonts: otherFonts,
    },
    otherComputer,
  ),
  of('webkit', 'of-a-stranger', { withoutFonts: otherFonts }, { ...otherComputer, isAway: true }),
]
