// Loads the phone metadata in a separate process, as the index or as Maps, and reports time and memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { phoneMetadataPath, readSource } from '../../scripts/build-phone-metadata.ts'
import { openPhoneMetadata } from '../../server/src/phone/phone-metadata.ts'
import type { PhoneMetadataSource, TextByPrefix } from '../../server/src/phone/phone-metadata-file.ts'
import type { PhoneNumber } from '../../server/src/phone/phone-number.ts'
import { answerParent, givenOptions } from './harness/processes.ts'

export interface LoadedIndex {
  elapsedMs: number
  residentMb: number
}

/** The baseline: the same data in Maps, looked up with ever shorter prefixes. */
export function longestPrefixMaps({ carriers, places, timeZones }: PhoneMetadataSource) {
  const find = (texts: TextByPrefix, digits: string) => {
    for (let length = digits.length; length > 0; length--) {
      const text = texts.get(digits.slice(0, length))
      if (text) return text
    }
    return undefined
  }
  return ({ digits }: PhoneNumber) => ({
    carrier: find(carriers, digits),
    place: find(places, digits),
    timeZones: find(timeZones, digits)?.split('&') ?? [],
  })
}

function load(kind: 'index' | 'maps'): LoadedIndex {
  collectGarbage()
  const residentBefore = process.memoryUsage.rss()
  const startedAt = performance.now()
  const loaded = kind === 'index' ? openPhoneMetadata(phoneMetadataPath) : longestPrefixMaps(readSource())
  const elapsedMs = performance.now() - startedAt
  collectGarbage()
  const residentMb = (process.memoryUsage.rss() - residentBefore) / 1e6
  // Still referenced here, so that the garbage collector keeps it.
  if (!loaded) throw new Error('Nothing was loaded')
  return { elapsedMs, residentMb }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

if (import.meta.main) answerParent(() => load(givenOptions<{ kind: 'index' | 'maps' }>().kind))
