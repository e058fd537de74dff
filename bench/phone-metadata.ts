// How fast are phone numbers read and their carrier, place and time zones found, and what does the index cost?

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { buildPhoneMetadata, phoneMetadataPath, readSource } from '../scripts/build-phone-metadata.ts'
import { openPhoneMetadata } from '../server/src/telecom/phone-metadata.ts'
import type { PhoneMetadataSource, TextByPrefix } from '../server/src/telecom/phone-metadata-file.ts'
import { type PhoneNumber, parsePhoneNumber } from '../server/src/telecom/phone-number.ts'

export interface Measurement {
  what: string
  unit: string
  median: number
  min: number
  max: number
}

const rounds = 5

/** Measures in turns, so that a disturbance of the machine strikes the index and its baseline alike. Takes about 20 s. */
export function benchPhoneMetadata(): Measurement[] {
  buildPhoneMetadata()
  const source = readSource()
  const numbers = numbersOf(source.places, source.carriers)
  const texts = numbers.map(({ digits }) => digits)
  const metadata = openPhoneMetadata(phoneMetadataPath)
  const naive = longestPrefixMaps(source)
  const internationalTexts = texts.map((text) => `+${text}`)

  const loads = inTurns({
    'load, index': () => loadedApart('index'),
    'load, longest-prefix Map': () => loadedApart('map'),
  })
  const rates = inTurns({
    'look-up, index': () => perCpuSecond(numbers, (number) => metadata.lookUp(number)),
    'look-up, longest-prefix Map': () => perCpuSecond(numbers, naive),
    'parse, parsePhoneNumber': () => perCpuSecond(texts, parsePhoneNumber),
    'parse, libphonenumber-js/max': () =>
      perCpuSecond(internationalTexts, (text) => {
        const number = parsePhoneNumberFromString(text)
        return number?.isValid() && number.getType()
      }),
  })
  return [
    ...loads.map(([what, values]) =>
      measurement(
        what,
        'ms',
        values.map(({ elapsedMs }) => elapsedMs),
      ),
    ),
    ...loads.map(([what, values]) =>
      measurement(
        what,
        'MB resident',
        values.map(({ residentMb }) => residentMb),
      ),
    ),
    ...rates.map(([what, values]) => measurement(what, 'per CPU-second', values)),
  ]
}

/** A valid number for every fifth prefix that the data knows, so that fixed and mobile lines of all countries occur. */
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

/** The line to beat: the same data in Maps, asked for ever shorter prefixes. */
function longestPrefixMaps({ carriers, places, timeZones }: PhoneMetadataSource) {
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

function inTurns<T>(candidates: Record<string, () => T>): [what: string, values: T[]][] {
  const results = Object.keys(candidates).map((what): [string, T[]] => [what, []])
  for (let round = 0; round < rounds; round++) {
    for (const [what, values] of results) values.push(candidates[what]!())
  }
  return results
}

/** Works through the questions for half a CPU-second, after a short warm-up. */
function perCpuSecond<T>(questions: T[], answer: (question: T) => unknown): number {
  let unanswered = 0
  const ask = (cpuMs: number) => {
    const start = process.cpuUsage()
    for (let asked = 0; ; asked += 100) {
      for (let i = asked; i < asked + 100; i++) if (!answer(questions[i % questions.length]!)) unanswered++
      const { user, system } = process.cpuUsage(start)
      if (user + system >= cpuMs * 1000) return (asked + 100) / ((user + system) / 1e6)
    }
  }
  ask(100)
  const rate = ask(500)
  if (unanswered > 0) throw new Error(`${unanswered} questions were not answered`)
  return rate
}

type Loaded = { elapsedMs: number; residentMb: number }

/** Loads in a process of its own, so that its memory is nobody else's. */
function loadedApart(kind: 'index' | 'map'): Loaded {
  const output = execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), kind], {
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

function load(kind: string): Loaded {
  globalThis.gc!()
  const residentBefore = process.memoryUsage.rss()
  const start = performance.now()
  const loaded = kind === 'index' ? openPhoneMetadata(phoneMetadataPath) : longestPrefixMaps(readSource())
  const elapsedMs = performance.now() - start
  globalThis.gc!()
  const residentMb = (process.memoryUsage.rss() - residentBefore) / 1e6
  // Still in use here, so that the collector could not take it.
  if (!loaded) throw new Error('Nothing was loaded')
  return { elapsedMs, residentMb }
}

function measurement(what: string, unit: string, values: number[]): Measurement {
  const sorted = values.toSorted((a, b) => a - b)
  return { what, unit, median: sorted[sorted.length >> 1]!, min: sorted[0]!, max: sorted.at(-1)! }
}

if (import.meta.main) {
  const kind = process.argv[2]
  if (kind) console.log(JSON.stringify(load(kind)))
  else {
    const rounded = (value: number) => Number(value.toPrecision(3))
    console.table(
      benchPhoneMetadata().map(({ median, min, max, ...rest }) => ({
        ...rest,
        median: rounded(median),
        min: rounded(min),
        max: rounded(max),
      })),
    )
  }
}
