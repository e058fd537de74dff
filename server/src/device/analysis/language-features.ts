// Between which versions is an engine, by the features of the language that it has built in?

import type { Engine } from './engine.ts'

/** The first version with it, stable channel; from the compatibility data of the features' own documentation. */
const firstVersions: Readonly<Record<string, Partial<Record<Engine, number>>>> = {
  'Array.prototype.toSorted': { chromium: 110, firefox: 115 },
  'Promise.withResolvers': { chromium: 119, firefox: 121 },
  'Array.fromAsync': { chromium: 121, firefox: 115 },
  'Set.prototype.union': { chromium: 122, firefox: 127 },
  'Promise.try': { chromium: 128, firefox: 134 },
  'RegExp.escape': { chromium: 136, firefox: 134 },
  'Math.f16round': { chromium: 135, firefox: 129 },
  'Uint8Array.fromBase64': { chromium: 140, firefox: 133 },
}

/** Features that an engine of this version cannot have yet, or would have: one version either way is let pass. */
export function impossibleFeatures(engine: Engine, version: number, builtIn: readonly string[]): string[] {
  return Object.entries(firstVersions).flatMap(([feature, first]) => {
    const since = first[engine]
    if (since === undefined) return []
    const isThere = builtIn.includes(feature)
    if (isThere && version < since - 1) return [`${feature}, which came with ${since}`]
    return !isThere && version > since + 1 ? [`no ${feature}, which came with ${since}`] : []
  })
}
