// What does one simulated device show at each visit, and how does it age?

import { hash } from 'node:crypto'
import type { WebFacts } from '@ringfence/contract'
import type { Drawn, Kind } from './generator.ts'
import { type Random, zipf } from './random.ts'
import type { Rates } from './rates.ts'

export interface Visit {
  readonly facts: WebFacts
  readonly address: string
}

export interface SimulatedDevice {
  readonly kind: Kind
  /** What it shows on this day; days only go forward. */
  visit(day: number): Visit
}

export interface DeviceParts {
  kind: Kind
  /** Properties of its model: the same for all devices of that model. */
  machine: Drawn
  /** Properties of this device: version, fonts, plug-ins. */
  own: Drawn
  /** Values of another browser of this kind, for when a screen is replaced. */
  another(): Drawn
  person: readonly [zone: string, offset: number, languages: readonly string[]]
  /** Draws the initial state; the same for all devices of a fleet. */
  variants: Random
  random: Random
  rates: Rates
  addressOn(day: number): string
}

/**
 * Drivers, codecs, voices and settings that differ between devices of one model. A few values are frequent, and phones of one model
 * are mostly alike: no more devices are unique without their network than Andriamilanto 2022 found.
 */
const variantsOf = {
  desktop: { rendering: zipf(8, 1.4), voices: zipf(5, 1.6), audio: zipf(3, 2.5) },
  phone: { rendering: zipf(4, 3), voices: zipf(3, 2.5), audio: zipf(2, 4) },
}
/** System versions beside the model's most common one. */
const osAhead = zipf(3, 1)
const otherZones = ['Asia/Dubai', 'Europe/London', 'America/New_York', 'Asia/Singapore', 'Europe/Paris', 'Asia/Bangkok']
const otherScreens = [
  [1920, 1080],
  [2560, 1440],
  [1366, 768],
  [1680, 1050],
  [3840, 2160],
  [1280, 720],
  [1600, 900],
] as const
const addedLanguages = ['fr', 'de', 'es', 'ar', 'mr', 'gu', 'kn', 'ml', 'ja', 'zh', 'ru', 'pt']

/** What task bar, menu bar and Dock take from a screen, in CSS pixels; the origin of a second screen does not count. */
function frameOf({ screen: { width, height, availWidth, availHeight, availLeft, availTop } }: Drawn) {
  const [left, top] = [availLeft, availTop].map((edge) => (edge >= 0 && edge < 200 ? edge : 0)) as [number, number]
  return { left, top, sides: Math.max(0, width - availWidth), bottom: Math.max(0, height - availHeight - top) }
}

const digest = (...of: readonly unknown[]) => hash('md5', of.join('\n'))

export function simulatedDevice({
  kind,
  machine,
  own,
  another,
  person,
  variants,
  random,
  rates,
  addressOn,
}: DeviceParts): SimulatedDevice {
  const isPhone = kind === 'androidChrome' || kind === 'iphone'
  const isGecko = kind.endsWith('Firefox')
  const isMac = kind.startsWith('mac')
  const isEvergreen = random.chance(rates.evergreen)
  const phase = random.below(28)
  const hasSecondScreen = !isPhone && random.chance(rates.secondScreen)
  const isAutoDark = random.chance(0.1)
  const [zone, offset] = person
  const variant = variantsOf[isPhone ? 'phone' : 'desktop']
  const firstVersion = majorOf(own.userAgent)
  const state = {
    day: 0,
    gpu: machine.gpu,
    cores: machine.cores,
    canvas: variant.rendering(variants),
    audio: variant.audio(variants),
    fonts: [...own.fonts],
    voices: variant.voices(variants),
    osVersion: 0,
    languages: [...person[2]],
    zone: { zone, offset },
    dark: variants.chance(0.3),
    reducedMotion: variants.chance(0.04),
    frame: frameOf(own),
    fontWidths: variant.audio(variants),
    permissions: variants.chance(0.04) ? 1 + variants.below(4) : 0,
    keyboard: variants.chance(0.1) ? 1 + variants.below(3) : 0,
    hourCycle: variants.chance(0.12) ? 'h23' : 'h12',
    screen: [machine.screen.width, machine.screen.height] as readonly [number, number],
    secondScreen: random.one(otherScreens),
  }
  // Display settings of Android: a fifth of people change the size that their model comes with.
  const displaySize = isPhone && variants.chance(0.2) ? variants.one([0.85, 1.1, 1.2, 1.3]) : 1
  const firstOs = majorOf(machine.hints?.platformVersion ?? '13') + (isPhone ? osAhead(variants) : 0)

  const changed = (rate: number, days: number) => random.chance(1 - (1 - rate) ** (days / 180))
  const age = (day: number) => {
    const days = Math.max(0, day - state.day)
    state.day = day
    if (changed(rates.canvas, days)) state.canvas = 100 + random.below(1000)
    if (changed(rates.renderer, days))
      state.gpu = state.gpu && { ...state.gpu, renderer: `${state.gpu.renderer} (${random.below(50)})` }
    if (changed(rates.coresOrMemory, days)) state.cores = random.one([2, 4, 8, 12, 16])
    if (changed(rates.fonts, days)) state.fonts = [...state.fonts, `Font ${random.below(500)}`]
    if (changed(rates.voices, days)) state.voices = 100 + random.below(40)
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
  }

  /** Some values depend on the browser version alone: they change for everyone at once, every few versions. */
  const epoch = (version: number, versions: number) => Math.floor(version / versions)

  const factsNow = (day: number): WebFacts => {
    const version = firstVersion + (isEvergreen ? Math.floor((day + phase) / 28) : 0)
    const line = `${kind} ${isGecko ? '' : machine.platform}`
    const renderer = state.gpu?.renderer ?? 'none'
    const onJourney = random.chance(rates.journeys)
    const isSecond = hasSecondScreen && random.chance(0.3)
    const isZoomed = !isPhone && random.chance(rates.zoomedVisits)
    const [width, height] = isSecond ? state.secondScreen : state.screen
    const pixelRatio = machine.pixelRatio * displaySize * (isZoomed ? random.one([0.9, 1.1, 1.25]) : 1)
    const zoomOfScreen = isGecko && isZoomed ? machine.pixelRatio / pixelRatio : 1 / displaySize
    // The Dock of a Mac shrinks when many programs are open.
    const isFull = isMac && state.frame.bottom > 30 && random.chance(rates.fullDocks)
    const bottom = state.frame.bottom - (isFull ? 1 + random.below(12) : 0)
    const isPlugged = !isPhone && random.chance(0.08)
    const isDark = isAutoDark ? random.chance(0.5) : state.dark
    const osVersion = firstOs + state.osVersion
    const isWindows = kind.startsWith('windows')
    const canvas = digest(line, renderer, state.canvas, epoch(version, 24))
    const all: WebFacts = {
      userAgent: withVersion(own.userAgent, version),
      platform: machine.platform,
      vendor: machine.vendor,
      languages: state.languages,
      timezone: onJourney ? random.one(otherZones) : state.zone.zone,
      timezoneOffset: state.zone.offset,
      screen: {
        width: Math.round(width * zoomOfScreen),
        height: Math.round(height * zoomOfScreen),
        availWidth: Math.round(width / displaySize) - (isPhone ? 0 : state.frame.sides),
        availHeight: Math.round(height / displaySize) - (isPhone ? 0 : state.frame.top + bottom),
        availLeft: isSecond ? state.screen[0] : isPhone ? 0 : state.frame.left,
        availTop: isPhone ? 0 : state.frame.top,
        colorDepth: machine.screen.colorDepth ?? 24,
      },
      devicePixelRatio: pixelRatio,
      hardwareConcurrency: state.cores,
      ...(machine.memory === undefined ? {} : { deviceMemory: machine.memory }),
      maxTouchPoints: machine.touch,
      fontFamily: isWindows ? 'Times New Roman' : 'Times',
      ...(own.hints
        ? {
            clientHints: {
              architecture: machine.hints?.architecture ?? '',
              bitness: machine.hints?.bitness ?? '',
              model: machine.hints?.model ?? '',
              platform: machine.hints?.platform ?? '',
              platformVersion: `${osVersion}.0.0`,
            },
          }
        : {}),
      canvas: isGecko
        ? { geometry: digest(random.next()), text: digest(random.next()), isStable: true }
        : { geometry: digest(canvas, 'shapes', state.canvas >> 2), text: canvas, isStable: true },
      audio: Number.parseInt(digest(line, state.audio, epoch(version, 6)).slice(0, 8), 16) / 2 ** 25,
      math: digest(line, machine.hints?.architecture, epoch(version, 8)),
      fonts: state.fonts,
      webgl: {
        vendor: state.gpu?.vendor ?? '',
        renderer,
        parameters: digest(renderer.slice(0, 24), line),
        extensions: digest(renderer.slice(0, 16), line, epoch(version, 10)),
        image: digest(renderer, state.canvas >> 1, line),
      },
      fontWidths: [
        100 +
          state.fontWidths +
          (Number.parseInt(digest(line, machine.hints?.model?.slice(0, 2)).slice(0, 4), 16) % 64),
      ],
      permissions: {
        notifications: state.permissions === 1 ? 'denied' : 'prompt',
        camera: state.permissions > 1 ? 'denied' : 'prompt',
      },
      mediaDevices: isPlugged ? { ...machine.mediaDevices, micros: 2 } : machine.mediaDevices,
      locale: `${state.languages[0]} ${state.hourCycle}`,
      ...(isPhone || isGecko ? {} : { keyboard: `${state.keyboard}` }),
      codecs: digest(line, epoch(version, 30)),
      voices: isPhone && kind === 'iphone' ? ['Samantha'] : [line, state.languages[0]!, String(state.voices)],
      plugins: [...own.plugins],
      mediaQueries: {
        'prefers-color-scheme': isDark ? 'dark' : 'light',
        'prefers-reduced-motion': state.reducedMotion ? 'reduce' : 'no-preference',
        'dynamic-range': machine.hdr ? 'high' : 'standard',
        pointer: isPhone ? 'coarse' : 'fine',
      },
    }
    for (const name of ['audio', 'fonts', 'voices', 'webgl', 'canvas', 'clientHints'] as const) {
      if (random.chance(rates.missing)) delete all[name]
    }
    return all
  }

  return {
    kind,
    visit(day) {
      age(day)
      return { facts: factsNow(day), address: addressOn(day) }
    },
  }
}

const versionText = /(Chrome\/|Edg\/|Firefox\/|Version\/|rv:)(\d+)/g

const majorOf = (text: string) => Number.parseInt(/(?:Chrome\/|Firefox\/|Version\/|^)(\d+)/.exec(text)?.[1] ?? '1', 10)
const withVersion = (userAgent: string, version: number) =>
  userAgent.replace(versionText, (_, name: string) => `${name}${version}`)
