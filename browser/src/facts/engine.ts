// Which engine is this, whatever it calls itself? What it has built in tells its kind, and between which versions it is.

type Path = `${string}.${string}`

/** Of the language, in the order in which engines got them. What it means for a version is known to the server. */
const features: readonly Path[] = [
  'Array.prototype.toSorted',
  'Promise.withResolvers',
  'Array.fromAsync',
  'Set.prototype.union',
  'Promise.try',
  'RegExp.escape',
  'Math.f16round',
  'Uint8Array.fromBase64',
]

export function engine() {
  return {
    nativeTextLength: Function.prototype.toString.call(Array).length,
    isV8: 'v8BreakIterator' in Intl,
    features: features.filter(isBuiltIn),
  }
}

/** What a page added for older browsers is written in its own script, and does not count. */
function isBuiltIn(path: Path): boolean {
  let value: unknown = globalThis
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'function' && /\[native code\]/.test(Function.prototype.toString.call(value))
}
