// How fast are phone numbers parsed and their carrier, place and time zones found, and how large is the index?

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { buildPhoneMetadata, phoneMetadataPath, readSource } from '../../scripts/build-phone-metadata.ts'
import { openPhoneMetadata } from '../../server/src/phone/phone-metadata.ts'
import type { TextByPrefix } from '../../server/src/phone/phone-metadata-file.ts'
import { type PhoneNumber, parsePhoneNumber } from '../../server/src/phone/phone-number.ts'
import { answer, type Bench, inTurns, perCpuSecond, row, type Table } from './harness/harness.ts'
import { startProcess } from './harness/processes.ts'
import { type LoadedIndex, longestPrefixMaps } from './phone-metadata-load.ts'

export const phoneMetadata: Bench = {
  name: 'phone-metadata',
  async run() {
    buildPhoneMetadata()
    return [await lookUps(), await loads()]
  },
}

async function lookUps(): Promise<Table> {
  const source = readSource()
  const numbers = numbersOf(source.places, source.carriers)
  const texts = numbers.map(({ digits }) => digits)
  const internationalTexts = texts.map((text) => `+${text}`)
  const metadata = openPhoneMetadata(phoneMetadataPath)
  const maps = longestPrefixMaps(source)
  const rates = await inTurns({
    maps: () => perCpuSecond(numbers, maps),
    index: () => perCpuSecond(numbers, (number) => metadata.lookUp(number)),
    library: () =>
      perCpuSecond(internationalTexts, (text) => {
        const number = parsePhoneNumberFromString(text)
        return number?.isValid() && number.getType()
      }),
    parse: () => perCpuSecond(texts, parsePhoneNumber),
  })
  const unit = 'per CPU-second'
  return {
    title: 'Phone numbers: look-ups',
    rows: [
      row('carrier, place and time zones, longest prefix in Maps', unit, rates.maps.perCpuSecond),
      row('carrier, place and time zones', unit, rates.index.perCpuSecond, { atLeast: 500_000 }),
      row('validity and type, libphonenumber-js/max', unit, rates.library.perCpuSecond),
      answer('validity and type', unit, rates.parse.perCpuSecond),
    ],
  }
}

async function loads(): Promise<Table> {
  const figures = await inTurns({ maps: () => loadedApart('maps'), index: () => loadedApart('index') })
  return {
    title: 'Phone metadata: loading',
    rows: [
      row('load, Maps', 'ms', figures.maps.elapsedMs),
      row('load, index', 'ms', figures.index.elapsedMs, { atMost: 50 }),
      row('resident, Maps', 'MB', figures.maps.residentMb),
      row('resident, index', 'MB', figures.index.residentMb, { atMost: 20 }),
    ],
  }
}

/** Loads in a separate process, so that its memory can be measured. */
async function loadedApart(kind: 'index' | 'maps'): Promise<LoadedIndex> {
  const loading = await startProcess<'load', LoadedIndex>('phone-metadata-load.ts', { kind })
  const loaded = await loading.ask('load')
  await loading.stop()
  return loaded
}

/** A valid number for every fifth known prefix, so that fixed and mobile lines of all countries occur. */
function numbersOf(...sources: TextByPrefix[]): PhoneNumber[] {
  const prefixes = sources.flatMap((source) => [...source.keys()]).filter((_, i) => i % 5 === 0)
  return prefixes.flatMap((prefix) => {
    for (const rest of ['', '2', '23', '234', '2345', '23456', '234567', '2345678']) {
      const number = parsePhoneNumber(prefix + rest)
      if (number) return [number]
    }
    return []
  })
}
