// What does a browser derive from its machine? Drawings, sound and limits: mostly the same for one graphics card and version.

import { hash } from 'node:crypto'
import type { Drawn, Kind } from './generator.ts'
import { type Random, zipf } from './random.ts'

export const digest = (...of: readonly unknown[]) => hash('md5', of.join('\n'))
export const numberOf = (text: string) => Number.parseInt(text.slice(0, 8), 16)

/** Values that differ between devices of one model: drivers, codecs, font rendering. Most devices have the first. */
const variantsOf = {
  desktop: { text: zipf(6, 2.6), rendering: zipf(4, 2), voices: zipf(5, 1.6), audio: zipf(3, 2.5) },
  phone: { text: zipf(3, 3), rendering: zipf(3, 3), voices: zipf(3, 2.5), audio: zipf(2, 4) },
}

/** How a device draws and sounds; changes only with its drivers and settings. */
export interface Drawing {
  /** Rendering of text: a variant, or a number above 100 for a device that draws like no other. */
  text: number
  shapes: number
  rendering: number
  audio: number
  voices: number
  fontWidths: number
  /** Privacy settings or extensions draw something else in each session. */
  readonly isNoisy: boolean
}

/** Share of desktops that draw like no other, and of all but Firefox that add noise (Berke 2025: 4.9 % unique geometry in all). */
const [odd, noisy] = [0.02, 0.028]
/** Graphics cards draw shapes alike in groups: 111 shared drawings in 8,400 browsers (Berke 2025). */
const shapeGroups = 24

export function drawingOf(isPhone: boolean, isGecko: boolean, variants: Random): Drawing {
  const { text, rendering, voices, audio } = variantsOf[isPhone ? 'phone' : 'desktop']
  const isOdd = !isPhone && variants.chance(odd)
  const own = 100 + variants.below(1e6)
  return {
    text: isOdd || (!isPhone && variants.chance(0.025)) ? own : text(variants),
    shapes: isOdd ? own : 0,
    rendering: rendering(variants),
    audio: audio(variants),
    voices: voices(variants),
    fontWidths: audio(variants),
    isNoisy: !isGecko && variants.chance(noisy),
  }
}

/** A driver of the graphics card draws differently. */
export function redrawn(drawing: Drawing, random: Random): void {
  drawing.text = 100 + random.below(1e6)
  drawing.rendering = 100 + random.below(1000)
  if (random.chance(0.3)) drawing.shapes = 100 + random.below(1e6)
}

/** Some values depend on the browser version alone: they change for everyone at once, every few versions. */
const epoch = (version: number, versions: number) => Math.floor(version / versions)

export interface Session {
  readonly kind: Kind
  readonly machine: Drawn
  readonly renderer: string
  readonly vendor: string
  readonly version: number
  readonly drawing: Drawing
  readonly isPrivate: boolean
  readonly random: Random
}

/** The facts of a machine that a browser draws and measures. */
export function derivedFacts({ kind, machine, renderer, vendor, version, drawing, isPrivate, random }: Session) {
  const isGecko = kind.endsWith('Firefox')
  const isSafari = kind === 'macSafari' || kind === 'iphone'
  const line = `${kind} ${isGecko ? '' : machine.platform}`
  const group = numberOf(digest(renderer)) % shapeGroups
  const shapes = digest(line, group, drawing.shapes, epoch(version, 24))
  const text = digest(shapes, machine.platform, drawing.text, epoch(version, 16))
  // Firefox, and Safari in private windows, add noise to each drawing; so do extensions.
  const isNoisy = isGecko || drawing.isNoisy || (isSafari && isPrivate)
  const sound = isSafari && isPrivate ? random.below(1e6) : drawing.audio
  return {
    canvas: isNoisy
      ? { geometry: digest(random.next()), text: digest(random.next()), isStable: true, isExact: isGecko }
      : { geometry: shapes, text, isStable: true, isExact: true },
    audio: numberOf(digest(line, sound, epoch(version, 6))) / 2 ** 25,
    math: digest(line, machine.hints?.architecture, epoch(version, 8)),
    webgl: {
      vendor,
      renderer,
      parameters: digest(renderer.slice(0, 24), line),
      extensions: digest(renderer.slice(0, 16), line, epoch(version, 10)),
      image: digest(renderer, drawing.rendering, line),
    },
    fontWidths: [100 + drawing.fontWidths + (numberOf(digest(line, machine.hints?.model?.slice(0, 2))) % 64)],
    codecs: digest(line, epoch(version, 30)),
  }
}
