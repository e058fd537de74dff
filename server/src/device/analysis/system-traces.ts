// Do fonts and graphics fit the system that a browser claims? Both come from the system, and no user agent changes them.

import type { WebFacts } from '@ringfence/contract'
import type { System } from './engine.ts'

/** Of those that the collector looks for: what a system brings in each of its editions, and nobody removes all of. */
const ownFonts: Partial<Record<System, readonly string[]>> = {
  windows: ['Consolas', 'Ebrima', 'Gadugi', 'Lucida Console', 'Malgun Gothic', 'Marlett', 'Segoe UI Emoji', 'Tahoma'],
  mac: ['Geeza Pro', 'Helvetica Neue', 'Hiragino Sans', 'Kohinoor Devanagari', 'Menlo', 'PingFang SC'],
}

/** By the interfaces to the graphics card that ANGLE uses on them, and by drivers that are written for one. */
const foreignGraphics: Partial<Record<System, RegExp>> = {
  windows: /\bMesa\b|llvmpipe|\bMetal\b/,
  mac: /\bMesa\b|llvmpipe|Direct3D/,
  linux: /Direct3D|\bMetal\b/,
}

/** Other fonts are there, and not one of the system's own. Where none is told at all, as where a browser hides them, it says nothing. */
export function lacksFontsOf(system: System | undefined, { fonts }: WebFacts): boolean {
  const own = system && ownFonts[system]
  return own !== undefined && fonts !== undefined && fonts.length > 0 && !own.some((font) => fonts.includes(font))
}

/** Whether WebGL draws by what this system does not have. */
export function hasForeignGraphics(system: System | undefined, { webgl }: WebFacts): boolean {
  return webgl?.renderer !== undefined && Boolean(system && foreignGraphics[system]?.test(webgl.renderer))
}
