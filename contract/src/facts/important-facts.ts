// Which facts of a browser does recognition need most? The SDK waits longer for them than for the others.

import type { WebFacts } from './web-facts.ts'

/**
 * Twelve facts that most browsers report and that differ between devices. On a slow machine the SDK waits up to 3 seconds
 * for them, and 1 second for the others. A visit without most of them says too little to recognise a device by.
 */
export const importantFacts = [
  'canvas',
  'webgl',
  'fonts',
  'fontWidths',
  'locale',
  'audio',
  'clientHints',
  'screen',
  'mediaQueries',
  'timezone',
  'languages',
  'hardwareConcurrency',
] as const satisfies readonly (keyof WebFacts)[]
