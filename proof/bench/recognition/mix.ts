// Who visits? Shares of browsers, and the languages and time zones of their people.

import type { Kind } from './generator.ts'
import { type Random, weighted, zipf } from './random.ts'

export type Person = readonly [zone: string, offset: number, languages: readonly string[]]

export interface Mix {
  /** How many of a thousand devices use each browser. */
  readonly kinds: Readonly<Record<Kind, number>>
  readonly people: (random: Random) => Person
}

/** The visitors of a typical service: mostly one country, four of ten on an Android phone. */
export const serviceMix: Mix = {
  kinds: {
    windowsChrome: 300,
    windowsEdge: 70,
    windowsFirefox: 30,
    macChrome: 60,
    macSafari: 60,
    linuxChrome: 20,
    linuxFirefox: 10,
    androidChrome: 380,
    iphone: 70,
  },
  people: weighted<Person>([
    [['Asia/Kolkata', -330, ['en-US', 'en']], 33],
    [['Asia/Kolkata', -330, ['en-GB', 'en-US', 'en']], 14],
    [['Asia/Kolkata', -330, ['en-IN', 'en']], 8],
    [['Asia/Kolkata', -330, ['en-IN', 'en-GB', 'en-US', 'en']], 5],
    [['Asia/Kolkata', -330, ['hi-IN', 'hi', 'en-US', 'en']], 5],
    [['Asia/Kolkata', -330, ['ta-IN', 'ta', 'en']], 2],
    [['Asia/Kolkata', -330, ['te-IN', 'te', 'en-US']], 2],
    [['Asia/Kolkata', -330, ['bn-IN', 'bn', 'en-US', 'en']], 2],
    [['Asia/Kolkata', -330, ['en-US', 'en', 'hi']], 4],
    [['Asia/Dubai', -240, ['en-US', 'en', 'ar']], 3],
    [['Asia/Dubai', -240, ['ar-AE', 'ar', 'en']], 2],
    [['Europe/London', 0, ['en-GB', 'en']], 4],
    [['America/New_York', 300, ['en-US', 'en']], 6],
    [['America/Los_Angeles', 480, ['en-US', 'en']], 3],
    [['Asia/Singapore', -480, ['en-SG', 'en', 'zh']], 2],
    [['Europe/Berlin', -60, ['de-DE', 'de', 'en-US', 'en']], 3],
    [['Australia/Sydney', -600, ['en-AU', 'en']], 2],
  ]),
}

/** The same visitors with more Firefox and Safari, which are few, and no iPhones, which similarity never recognises. */
export const fittingMix: Mix = {
  kinds: {
    windowsChrome: 240,
    windowsEdge: 60,
    windowsFirefox: 110,
    macChrome: 60,
    macSafari: 150,
    linuxChrome: 20,
    linuxFirefox: 40,
    androidChrome: 320,
    iphone: 0,
  },
  people: serviceMix.people,
}

/**
 * The 8,400 people of the United States of Berke et al. (PETS 2025). The shares of browsers are our estimate; the time zones follow
 * the population of the zones.
 */
export const panelMix: Mix = {
  kinds: {
    windowsChrome: 390,
    windowsEdge: 60,
    windowsFirefox: 45,
    macChrome: 110,
    macSafari: 55,
    linuxChrome: 30,
    linuxFirefox: 10,
    androidChrome: 130,
    iphone: 170,
  },
  people: (random) => {
    const [zone, offset] = zonesOfPanel(random)
    const first = random.chance(0.25) ? ['en-US'] : ['en-US', 'en']
    const languages = random.chance(0.05) ? [...first, ...addedLanguages(random)] : first
    return [zone, offset, languages]
  },
}

const travelled = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 10 === 0)
const zonesOfPanel = weighted<readonly [string, number]>([
  [['America/New_York', 300], 480],
  [['America/Chicago', 360], 280],
  [['America/Los_Angeles', 480], 160],
  [['America/Denver', 420], 45],
  [['America/Phoenix', 420], 20],
  [['America/Detroit', 300], 8],
  [['America/Indiana/Indianapolis', 300], 8],
  [['Pacific/Honolulu', 600], 3],
  [['America/Anchorage', 540], 2],
  [['America/Boise', 420], 2],
  ...travelled.map((zone) => [[zone, 0], 0.15] as const),
])

const common = weighted<string>([
  ['es', 30],
  ['zh-CN', 12],
  ['fr', 8],
  ['de', 7],
  ['ko', 6],
  ['ja', 6],
  ['ru', 6],
  ['vi', 4],
  ['pt-BR', 4],
  ['ar', 4],
  ['hi', 3],
  ['it', 3],
  ['pl', 2],
  ['tr', 2],
  ['uk', 2],
  ['en-GB', 10],
])
const otherLanguages = zipf(60, 0.8)
const addedLanguages = (random: Random) =>
  Array.from({ length: 1 + (random.chance(0.4) ? 1 + random.below(3) : 0) }, () =>
    random.chance(0.5) ? common(random) : `l${otherLanguages(random)}`,
  )
