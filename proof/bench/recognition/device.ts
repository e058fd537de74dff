// What does one simulated device show at each visit, and how does it age?

import type { WebFacts } from '@ringfence/contract'
import { desktopScreen, frameOf, makeWindow, otherScreens, visibleScreen } from './display.ts'
import type { Drawn, Kind } from './generator.ts'
import { derivedFacts, drawingOf, redrawn } from './machine.ts'
import { type Missing, missingAt, without } from './missing.ts'
import type { Person } from './mix.ts'
import { type Random, zipf } from './random.ts'
import type { Rates } from './rates.ts'

export interface Visit {
  readonly facts: WebFacts
  readonly address: string
}

export interface How {
  readonly isPrivate?: boolean
  /** Missing facts; by default as often as `rates` says. */
  readonly missing?: Missing
}

export interface SimulatedDevice {
  readonly kind: Kind
  readonly model: number
  /** What it shows on this day; days only go forward. */
  visit(day: number, how?: How): Visit
}

export interface DeviceParts {
  kind: Kind
  /** Properties of its model: the same for all devices of that model. */
  machine: Drawn
  /** Its model, among those of its kind. */
  model: number
  /** Properties of this device: version, fonts, plug-ins. */
  own: Drawn
  /** Values of another browser of this kind, for when a screen is replaced. */
  another(): Drawn
  person: Person
  /** Draws the initial state; the same for all devices of a fleet. */
  variants: Random
  random: Random
  rates: Rates
  addressOn(day: number): string
}

const standardPlugins = [
  'PDF Viewer',
  'Chrome PDF Viewer',
  'Chromium PDF Viewer',
  'Microsoft Edge PDF Viewer',
  'WebKit built-in PDF',
]
/** System versions beside the model's most common one. */
const osAhead = zipf(4, 1)
const otherZones = ['Asia/Dubai', 'Europe/London', 'America/New_York', 'Asia/Singapore', 'Europe/Paris', 'Asia/Bangkok']
const addedLanguages = ['fr', 'de', 'es', 'ar', 'mr', 'gu', 'kn', 'ml', 'ja', 'zh', 'ru', 'pt']

export function simulatedDevice(parts: DeviceParts): SimulatedDevice {
  const { kind, machine, own, another, person, variants, random, rates, addressOn } = parts
  const isPhone = kind === 'androidChrome' || kind === 'iphone'
  const isGecko = kind.endsWith('Firefox')
  const isSafari = kind === 'macSafari' || kind === 'iphone'
  const isEvergreen = random.chance(rates.evergreen)
  const phase = random.below(28)
  const hasSecondScreen = !isPhone && random.chance(rates.secondScreen)
  const hasSecondCard = !isPhone && !isSafari && random.chance(rates.secondCard)
  const isAutoDark = random.chance(0.1)
  const [zone, offset] = person
  const firstVersion = majorOf(own.userAgent)
  const drawing = drawingOf(isPhone, isGecko, variants)
  const state = {
    day: 0,
    renderer: machine.gpu?.renderer ?? 'none',
    cores: machine.cores,
    fonts: [...own.fonts],
    osVersion: 0,
    languages: [...person[2]],
    zone: { zone, offset },
    dark: variants.chance(0.3),
    reducedMotion: variants.chance(0.04),
    frame: frameOf(own),
    permissions: variants.chance(0.04) ? 1 + variants.below(4) : 0,
    keyboard: variants.chance(0.1) ? 1 + variants.below(3) : 0,
    hourCycle: variants.chance(0.12) ? 'h23' : 'h12',
    screen: isPhone ? ([machine.screen.width, machine.screen.height] as const) : desktopScreen(machine, variants),
    secondScreen: random.one(otherScreens),
  }
  const window = makeWindow(random)
  // A fifth of people change the display size of Android, few that of an iPhone.
  const displaySize =
    isPhone && variants.chance(kind === 'iphone' ? 0.06 : 0.2) ? variants.one([0.85, 1.1, 1.2, 1.3]) : 1
  const firstOs = majorOf(machine.hints?.platformVersion ?? '13') + (isPhone ? osAhead(variants) : 0)
  // Builds of a system that few have: previews, forks, kernels.
  const oddBuild = variants.chance(0.025) ? variants.below(400) : 0
  const plugins = !isPhone && variants.chance(0.4) ? standardPlugins : [...own.plugins]
  // Apps with a browser inside, and builds of their own, name themselves.
  const suffix = variants.chance(0.022) ? ` App/${variants.below(3000)}` : ''

  const changed = (rate: number, days: number) => random.chance(1 - (1 - rate) ** (days / 180))
  const age = (day: number) => {
    const days = Math.max(0, day - state.day)
    state.day = day
    if (changed(rates.canvas, days)) redrawn(drawing, random)
    if (changed(rates.renderer, days)) state.renderer = `${state.renderer} (${random.below(50)})`
    if (changed(rates.coresOrMemory, days)) state.cores = random.one([2, 4, 8, 12, 16])
    if (changed(rates.fonts, days)) state.fonts = [...state.fonts, `Font ${random.below(500)}`]
    if (changed(rates.voices, days)) drawing.voices = 100 + random.below(40)
    if (changed(rates.osVersion, days)) state.osVersion++
    if (changed(rates.media, days)) state.dark = !state.dark
    if (changed(rates.zone, days)) state.zone = { zone: random.one(otherZones), offset: random.below(20) * 30 }
    if (changed(rates.permissions, days)) state.permissions = random.below(5)
    if (changed(rates.language, days)) {
      const added = random.one(addedLanguages)
      state.languages = state.languages.includes(added) ? state.languages.slice(0, -1) : [...state.languages, added]
    }
    if (!isPhone && changed(rates.resolution, days)) {
      state.screen = random.one(otherScreens)
      state.frame = frameOf(another())
    }
    if (!isPhone && changed(rates.resolution, days)) state.frame = frameOf(another())
    window.age(days)
  }

  const factsNow = (day: number, isPrivate: boolean): WebFacts => {
    const age = day + phase
    const steps = isEvergreen ? Math.floor(age / (isSafari ? 180 : 28)) : 0
    const version = firstVersion + steps
    // A build each week; Safari has a minor version every 45 days.
    const build = isEvergreen ? Math.floor((age % (isSafari ? 180 : 28)) / (isSafari ? 45 : 7)) : phase % 4
    const onJourney = random.chance(rates.journeys)
    const isSecond = hasSecondScreen && random.chance(rates.secondScreenVisits)
    const isZoomed = !isPhone && random.chance(rates.zoomedVisits)
    const onSecondCard = hasSecondCard && random.chance(0.12)
    const screen = visibleScreen({
      screen: isSecond ? state.secondScreen : state.screen,
      first: state.screen,
      isSecond,
      frame: state.frame,
      machine,
      kind,
      displaySize,
      zoom: isZoomed ? random.one([0.9, 1.1, 1.25]) : 1,
      // The Dock of a Mac shrinks when many programs are open.
      shrunk:
        kind.startsWith('mac') && state.frame.bottom > 30 && random.chance(rates.fullDocks) ? 1 + random.below(12) : 0,
    })
    const isPlugged = !isPhone && random.chance(0.08)
    const isDark = isAutoDark ? random.chance(0.5) : state.dark
    const permissions = isPrivate ? 0 : state.permissions
    const renderer = onSecondCard
      ? 'ANGLE (Intel, Intel(R) UHD Graphics Direct3D11 vs_5_0 ps_5_0, D3D11)'
      : state.renderer
    const vendor = machine.gpu?.vendor ?? ''
    return {
      userAgent: withVersion(own.userAgent, version, isSafari ? `.${build}` : '') + suffix,
      platform: machine.platform,
      vendor: machine.vendor,
      languages: state.languages,
      timezone: onJourney ? random.one(otherZones) : state.zone.zone,
      timezoneOffset: state.zone.offset,
      ...screen,
      windowGeometry: window.on(screen.screen, isPhone, random),
      // Firefox reports another number of cores in private windows.
      hardwareConcurrency: isGecko && isPrivate ? Math.min(state.cores, 8) : state.cores,
      ...(machine.memory === undefined ? {} : { deviceMemory: machine.memory }),
      maxTouchPoints: machine.touch,
      fontFamily: kind.startsWith('windows') ? 'Times New Roman' : 'Times',
      ...(own.hints
        ? {
            clientHints: {
              architecture: machine.hints?.architecture ?? '',
              bitness: machine.hints?.bitness ?? '',
              model: kind === 'androidChrome' ? `Model ${parts.model}` : '',
              platform: machine.hints?.platform ?? '',
              platformVersion: `${firstOs + state.osVersion}.${oddBuild}.0`,
              fullVersionList: [{ brand: 'Google Chrome', version: `${version}.0.${version * 50}.${40 + build}` }],
            },
          }
        : {}),
      ...derivedFacts({ kind, machine, renderer, vendor, version, drawing, isPrivate, random }),
      fonts: state.fonts,
      permissions: {
        notifications: permissions === 1 ? 'denied' : 'prompt',
        camera: permissions > 1 ? 'denied' : 'prompt',
      },
      mediaDevices: isPlugged ? { ...machine.mediaDevices, micros: 2 } : machine.mediaDevices,
      locale: `${state.languages[0]} ${state.hourCycle}`,
      ...(isPhone || isGecko ? {} : { keyboard: `${state.keyboard}` }),
      voices: kind === 'iphone' ? ['Samantha'] : [kind, state.languages[0]!, String(drawing.voices)],
      plugins,
      mediaQueries: {
        'prefers-color-scheme': isDark ? 'dark' : 'light',
        'prefers-reduced-motion': state.reducedMotion ? 'reduce' : 'no-preference',
        'dynamic-range': machine.hdr ? 'high' : 'standard',
        pointer: isPhone ? 'coarse' : 'fine',
      },
    }
  }

  return {
    kind,
    model: parts.model,
    visit(day, { isPrivate = false, missing } = {}) {
      age(day)
      const all = factsNow(day, isPrivate)
      for (const name of ['audio', 'fonts', 'voices', 'webgl', 'canvas', 'clientHints'] as const) {
        if (random.chance(rates.missing)) delete all[name]
      }
      return { facts: without(all, missing ?? missingAt(rates.slowVisits, random), random), address: addressOn(day) }
    },
  }
}

const versionText = /(Chrome\/|Edg\/|Firefox\/|Version\/|rv:)(\d+)(\.\d+)?/g

const majorOf = (text: string) => Number.parseInt(/(?:Chrome\/|Firefox\/|Version\/|^)(\d+)/.exec(text)?.[1] ?? '1', 10)
const withVersion = (userAgent: string, version: number, minor: string) =>
  userAgent.replace(versionText, (_, name: string, __, rest = '') => `${name}${version}${minor || rest}`)
