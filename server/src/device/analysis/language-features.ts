// Does an engine have the language features of the version that it claims?

import type { Engine } from './engine.ts'

/** The first stable version with each feature, from the compatibility data in its documentation. */
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

/** Features that this version of the engine cannot have yet, or must have; one version in either direction is tolerated. */
export function impossibleFeatures(engine: Engine, version: number, builtIn: readonly string[]): string[] {
  return Object.entries(firstVersions).flatMap(([feature, first]) => {
    const since = first[engine]
    if (since === undefined) return []
    const isBuiltIn = builtIn.includes(feature)
    if (isBuiltIn && version < since - 1) return [`${feature}, which came with ${since}`]
    return !isBuiltIn && version > since + 1 ? [`no ${feature}, which came with ${since}`] : []
  })
}

/** Those that a version of the engine has. */
export const featuresOf = (engine: Engine, version: number): string[] =>
  Object.entries(firstVersions).flatMap(([feature, { [engine]: since }]) =>
    since !== undefined && version >= since ? [feature] : [],
  )
