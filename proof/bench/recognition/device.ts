// What does one simulated device show at each visit, and how does it age?

import type { WebFacts } from '@ringfence/contract'
import { desktopScreen, frameOf, makeWindow, otherScreens, visibleScreen } from './display.ts'
import type { Drawn, Kind } from './generator.ts'
import { type Drawing, derivedFacts, drawingOf, redrawn } from './machine.ts'
import { type Missing, missingAt, without } from './missing.ts'
import type { Person } from './mix.ts'
import { owedOf } from './owed.ts'
import { type Random, zipf } from './random.ts'
import type { Rates } from './rates.ts'

export interface Visit {
  readonly facts: WebFacts
  /** Names of facts that came too late. */
  readonly late: readonly string[]
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
const secondCard = 'ANGLE (Intel, Intel(R) UHD Graphics Direct3D11 vs_5_0 ps_5_0, D3D11)'
const addedLanguages = ['fr', 'de', 'es', 'ar', 'mr', 'gu', 'kn', 'ml', 'ja', 'zh', 'ru', 'pt']

/** Chance that something happened in these days which happens in half a year at this rate. */
const inDays = (rate: number, days: number): number => 1 - (1 - rate) ** (days / 180)

const isPhoneKind = (kind: Kind): boolean => kind === 'androidChrome' || kind === 'iphone'
const isSafariKind = (kind: Kind): boolean => kind === 'macSafari' || kind === 'iphone'
const isBuiltOfParts = (kind: Kind): boolean => kind.startsWith('windows') || kind.startsWith('linux')
const isGeckoKind = (kind: Kind): boolean => kind.endsWith('Firefox')

/** What stays as it is. */
function habitsOf({ kind, random, rates }: DeviceParts) {
  const isPhone = isPhoneKind(kind)
  return {
    isEvergreen: random.chance(rates.evergreen),
    phase: random.below(28),
    hasSecondScreen: !isPhone && random.chance(rates.secondScreen),
    hasSecondCard: !isPhone && !isSafariKind(kind) && random.chance(rates.secondCard),
    isAutoDark: random.chance(0.1),
  }
}

/** What ages. */
function stateOf({ kind, machine, own, person, variants, random }: DeviceParts) {
  return {
    day: 0,
    renderer: machine.gpu?.renderer ?? 'none',
    cores: machine.cores,
    fonts: [...own.fonts],
    osVersion: 0,
    languages: [...person[2]],
    zone: { zone: person[0], offset: person[1] },
    dark: variants.chance(0.3),
    reducedMotion: variants.chance(0.04),
    frame: frameOf(own),
    permissions: variants.chance(0.04) ? 1 + variants.below(4) : 0,
    keyboard: variants.chance(0.1) ? 1 + variants.below(3) : 0,
    hourCycle: variants.chance(0.12) ? 'h23' : 'h12',
    screen: isPhoneKind(kind)
      ? ([machine.screen.width, machine.screen.height] as const)
      : desktopScreen(machine, variants),
    secondScreen: random.one(otherScreens),
  }
}

/** In which a device differs from others of its model. */
function oddsOf({ kind, machine, own, variants }: DeviceParts) {
  const isPhone = isPhoneKind(kind)
  return {
    // A fifth of people change the display size of Android, few that of an iPhone.
    displaySize: isPhone && variants.chance(kind === 'iphone' ? 0.06 : 0.2) ? variants.one([0.85, 1.1, 1.2, 1.3]) : 1,
    firstOs: majorOf(machine.hints?.platformVersion ?? '13') + (isPhone ? osAhead(variants) : 0),
    // Builds of a system that few have: previews, forks, kernels.
    build: variants.chance(0.025) ? variants.below(400) : 0,
    plugins: !isPhone && variants.chance(0.4) ? standardPlugins : [...own.plugins],
    // Apps with a browser inside, and builds of their own, name themselves.
    suffix: variants.chance(0.022) ? ` App/${variants.below(3000)}` : '',
  }
}

export const simulatedDevice = (parts: DeviceParts): SimulatedDevice => new Simulated(parts)

/** The order in which it draws is part of a population: the same seed makes the same devices. */
class Simulated implements SimulatedDevice {
  readonly kind: Kind
  readonly model: number
  #parts: DeviceParts
  readonly #habits: ReturnType<typeof habitsOf>
  readonly #drawing: Drawing
  readonly #state: ReturnType<typeof stateOf>
  readonly #window: ReturnType<typeof makeWindow>
  readonly #odds: ReturnType<typeof oddsOf>

  constructor(parts: DeviceParts) {
    this.kind = parts.kind
    this.model = parts.model
    this.#parts = parts
    this.#habits = habitsOf(parts)
    this.#drawing = drawingOf(isPhoneKind(parts.kind), isGeckoKind(parts.kind), parts.variants)
    this.#state = stateOf(parts)
    this.#window = makeWindow(parts.random)
    this.#odds = oddsOf(parts)
  }

  visit(day: number, { isPrivate = false, missing }: How = {}): Visit {
    const { random, rates, addressOn } = this.#parts
    this.#age(day)
    const all = this.#factsNow(day, isPrivate)
    const names = Object.keys(all)
    for (const name of ['audio', 'fonts', 'voices', 'webgl', 'canvas', 'clientHints'] as const) {
      if (random.chance(rates.missing)) delete all[name]
    }
    const facts = without(all, missing ?? missingAt(rates.slowVisits, random), random)
    return { facts, late: names.filter((name) => !Object.hasOwn(facts, name)), address: addressOn(day) }
  }

  #age(day: number): void {
    const { another, random, rates } = this.#parts
    const state = this.#state
    const days = Math.max(0, day - state.day)
    const changed = (rate: number) => random.chance(inDays(rate, days))
    state.day = day
    if (changed(rates.canvas)) redrawn(this.#drawing, random)
    if (changed(rates.renderer)) state.renderer = `${state.renderer} (${random.below(50)})`
    if (changed(rates.coresOrMemory)) state.cores = random.one([2, 4, 8, 12, 16])
    if (isBuiltOfParts(this.kind) && changed(rates.rebuilt)) this.#rebuild()
    if (changed(rates.fonts)) state.fonts = [...state.fonts, `Font ${random.below(500)}`]
    if (changed(rates.voices)) this.#drawing.voices = 100 + random.below(40)
    if (changed(rates.osVersion)) state.osVersion++
    if (changed(rates.media)) state.dark = !state.dark
    if (changed(rates.zone)) state.zone = { zone: random.one(otherZones), offset: random.below(20) * 30 }
    if (changed(rates.permissions)) state.permissions = random.below(5)
    if (changed(rates.language)) {
      const added = random.one(addedLanguages)
      state.languages = state.languages.includes(added) ? state.languages.slice(0, -1) : [...state.languages, added]
    }
    const isPhone = isPhoneKind(this.kind)
    if (!isPhone && changed(rates.resolution)) {
      state.screen = random.one(otherScreens)
      state.frame = frameOf(another())
    }
    if (!isPhone && changed(rates.resolution)) state.frame = frameOf(another())
    this.#window.age(days)
  }

  /** Another card, processor and memory; the disk and the screen stay. */
  #rebuild(): void {
    const { gpu, cores, memory } = this.#parts.another()
    this.#parts = { ...this.#parts, machine: { ...this.#parts.machine, gpu, memory } }
    this.#state.renderer = gpu?.renderer ?? 'none'
    this.#state.cores = cores
  }

  #versionOn(day: number): { version: number; build: number } {
    const { isEvergreen, phase } = this.#habits
    const first = majorOf(this.#parts.own.userAgent)
    if (!isEvergreen) return { version: first, build: phase % 4 }
    const age = day + phase
    // A build each week; Safari has a minor version every 45 days.
    const [perVersion, perBuild] = isSafariKind(this.kind) ? [180, 45] : [28, 7]
    return { version: first + Math.floor(age / perVersion), build: Math.floor((age % perVersion) / perBuild) }
  }

  /** How this visit differs from others of the same day. */
  #circumstances() {
    const { random, rates } = this.#parts
    const { hasSecondScreen, hasSecondCard } = this.#habits
    const onJourney = random.chance(rates.journeys)
    const isSecond = hasSecondScreen && random.chance(rates.secondScreenVisits)
    const isZoomed = !isPhoneKind(this.kind) && random.chance(rates.zoomedVisits)
    const onSecondCard = hasSecondCard && random.chance(0.12)
    return { onJourney, isSecond, isZoomed, onSecondCard }
  }

  #screenNow(isSecond: boolean, isZoomed: boolean) {
    const { machine, random, rates } = this.#parts
    const state = this.#state
    return visibleScreen({
      screen: isSecond ? state.secondScreen : state.screen,
      first: state.screen,
      isSecond,
      frame: state.frame,
      machine,
      kind: this.kind,
      displaySize: this.#odds.displaySize,
      zoom: isZoomed ? random.one([0.9, 1.1, 1.25]) : 1,
      // The Dock of a Mac shrinks when many programs are open.
      shrunk:
        this.kind.startsWith('mac') && state.frame.bottom > 30 && random.chance(rates.fullDocks)
          ? 1 + random.below(12)
          : 0,
    })
  }

  #factsNow(day: number, isPrivate: boolean): WebFacts {
    const { kind } = this
    const { machine, own, random } = this.#parts
    const state = this.#state
    const isPhone = isPhoneKind(kind)
    const isGecko = isGeckoKind(kind)
    const { version, build } = this.#versionOn(day)
    const { onJourney, isSecond, isZoomed, onSecondCard } = this.#circumstances()
    const screen = this.#screenNow(isSecond, isZoomed)
    const isPlugged = !isPhone && random.chance(0.08)
    const isDark = this.#habits.isAutoDark ? random.chance(0.5) : state.dark
    const permissions = isPrivate ? 0 : state.permissions
    const renderer = onSecondCard ? secondCard : state.renderer
    const vendor = machine.gpu?.vendor ?? ''
    const facts: WebFacts = {
      userAgent: withVersion(own.userAgent, version, isSafariKind(kind) ? `.${build}` : '') + this.#odds.suffix,
      platform: machine.platform,
      vendor: machine.vendor,
      languages: state.languages,
      timezone: onJourney ? random.one(otherZones) : state.zone.zone,
      timezoneOffset: state.zone.offset,
      ...screen,
      windowGeometry: this.#window.on(screen.screen, isPhone, random),
      // Firefox reports another number of cores in private windows.
      hardwareConcurrency: isGecko && isPrivate ? Math.min(state.cores, 8) : state.cores,
      ...(machine.memory === undefined ? {} : { deviceMemory: machine.memory }),
      maxTouchPoints: machine.touch,
      fontFamily: kind.startsWith('windows') ? 'Times New Roman' : 'Times',
      ...(own.hints ? { clientHints: this.#clientHints(version, build) } : {}),
      ...derivedFacts({ kind, machine, renderer, vendor, version, drawing: this.#drawing, isPrivate, random }),
      fonts: state.fonts,
      permissions: {
        notifications: permissions === 1 ? 'denied' : 'prompt',
        camera: permissions > 1 ? 'denied' : 'prompt',
      },
      mediaDevices: isPlugged ? { ...machine.mediaDevices, micros: 2 } : machine.mediaDevices,
      locale: `${state.languages[0]} ${state.hourCycle}`,
      ...(isPhone || isGecko ? {} : { keyboard: `${state.keyboard}` }),
      voices: kind === 'iphone' ? ['Samantha'] : [kind, state.languages[0]!, String(this.#drawing.voices)],
      plugins: this.#odds.plugins,
      automation: { webdriver: false, globals: [], chromeObject: own.hints !== undefined },
      alteredFunctions: [],
      mediaQueries: {
        'prefers-color-scheme': isDark ? 'dark' : 'light',
        'prefers-reduced-motion': state.reducedMotion ? 'reduce' : 'no-preference',
        'dynamic-range': machine.hdr ? 'high' : 'standard',
        pointer: isPhone ? 'coarse' : 'fine',
        'any-pointer': isPhone ? 'coarse' : 'fine',
      },
    }
    return { ...facts, ...owedOf(facts) }
  }

  #clientHints(version: number, build: number): NonNullable<WebFacts['clientHints']> {
    const { hints } = this.#parts.machine
    const { firstOs, build: oddBuild } = this.#odds
    return {
      architecture: hints?.architecture ?? '',
      bitness: hints?.bitness ?? '',
      model: this.kind === 'androidChrome' ? `Model ${this.model}` : '',
      platform: hints?.platform ?? '',
      platformVersion: `${firstOs + this.#state.osVersion}.${oddBuild}.0`,
      fullVersionList: [{ brand: 'Google Chrome', version: `${version}.0.${version * 50}.${40 + build}` }],
    }
  }
}

const versionText = /(Chrome\/|Edg\/|Firefox\/|Version\/|rv:)(\d+)(\.\d+)?/g

const majorOf = (text: string) => Number.parseInt(/(?:Chrome\/|Firefox\/|Version\/|^)(\d+)/.exec(text)?.[1] ?? '1', 10)
const withVersion = (userAgent: string, version: number, minor: string) =>
  userAgent.replace(versionText, (_, name: string, __, rest = '') => `${name}${version}${minor || rest}`)
