// Do fonts and graphics match the system that a browser claims? Both come from the system, whatever the user agent says.

import type { WebFacts } from '@ringfence/contract'
import type { System } from './engine.ts'

/** Fonts, among those that the collector looks for, that every edition of a system has. Nobody removes all of them. */
const ownFonts: Partial<Record<System, readonly string[]>> = {
  windows: ['Consolas', 'Ebrima', 'Gadugi', 'Lucida Console', 'Malgun Gothic', 'Marlett', 'Segoe UI Emoji', 'Tahoma'],
  mac: ['Geeza Pro', 'Helvetica Neue', 'Hiragino Sans', 'Kohinoor Devanagari', 'Menlo', 'PingFang SC'],
}

/** Graphics interfaces and drivers that a system does not have, by the names that ANGLE reports. */
const foreignGraphics: Partial<Record<System, RegExp>> = {
  windows: /\bMesa\b|llvmpipe|\bMetal\b/,
  mac: /\bMesa\b|llvmpipe|Direct3D/,
  linux: /Direct3D|\bMetal\b/,
}

/** Whether fonts can show that it is another system. */
export const hasOwnFonts = (system: System | undefined): boolean => system !== undefined && system in ownFonts

/** Whether graphics can. */
export const hasOwnGraphics = (system: System | undefined): boolean => system !== undefined && system in foreignGraphics

/** True when fonts are reported and none is the system's. A browser that hides all fonts is false. */
export function lacksFontsOf(system: System | undefined, { fonts }: WebFacts): boolean {
  const own = system && ownFonts[system]
  return own !== undefined && fonts !== undefined && fonts.length > 0 && !own.some((font) => fonts.includes(font))
}

/** True when WebGL renders with something that this system does not have. */
export function hasForeignGraphics(system: System | undefined, { webgl }: WebFacts): boolean {
  return webgl?.renderer !== undefined && Boolean(system && foreignGraphics[system]?.test(webgl.renderer))
}
