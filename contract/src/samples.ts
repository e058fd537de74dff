// What do real bodies look like? Reads `samples/<schema in kebab-case>.<case>.json`.

import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../samples/', import.meta.url)

/** Every sample by the `$id` of its schema and the name of its case: `samples.SimSwapResult.swapped`. */
export function readSamples(): Record<string, Record<string, unknown>> {
  const samples: Record<string, Record<string, unknown>> = {}
  for (const file of readdirSync(folder).sort()) {
    const [schema = '', name = ''] = file.split('.')
    const id = schema.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase())
    samples[id] ??= {}
    samples[id][name] = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  }
  return samples
}
