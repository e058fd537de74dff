// Which facts exist, and how is each one read?

import type { FactName, Facts } from '../collect/fact.ts'
import { alteredFunctions } from './altered.ts'
import { audio, voices } from './audio.ts'
import { automation, inspection } from './automation.ts'
import { canvas, pageCanvasExact, webgl } from './drawing.ts'
import { codecs, engine, math } from './engine.ts'
import { fontFamily, fonts, fontWidths } from './fonts.ts'
import {
  clientHints,
  connection,
  cpuArchitecture,
  deviceMemory,
  hardwareConcurrency,
  maxTouchPoints,
  platform,
  plugins,
  userAgent,
  vendor,
} from './navigator.ts'
import { keyboard, mediaDevices, permissions } from './peripherals.ts'
import { language, languages, locale, timezone, timezoneOffset } from './region.ts'
import { devicePixelRatio, mediaQueries, screen, windowGeometry } from './screen.ts'
import { blobStorage, cookieEnabled, deviceToken, fileSystem, storage } from './storage.ts'
import { workerScope } from './worker.ts'

/** Answered at once, without drawing or waiting. The specification's deviceInfo uses them. */
export const plainFacts = {
  clientHints,
  userAgent,
  platform,
  vendor,
  connection,
  language,
  languages,
  cookieEnabled,
  screen,
  devicePixelRatio,
  timezoneOffset,
  timezone,
  cpuArchitecture,
  fontFamily,
  hardwareConcurrency,
  deviceMemory,
  maxTouchPoints,
} satisfies Partial<Facts<FactName>>

/** Each as slow as the others, so that each has a worker of its own. */
const graphics = { workerScope, webgl, math, engine } satisfies Partial<Facts<FactName>>
const pictures = { fileSystem, canvas } satisfies Partial<Facts<FactName>>
const typefaces = { fonts, fontWidths, locale } satisfies Partial<Facts<FactName>>

/** Need no page, so they are read in workers where possible. */
export const workerFacts = /* @__PURE__ */ Object.assign({}, pictures, graphics, typefaces)

/** What each worker reads, side by side. */
export const shares = [graphics, pictures, typefaces].map(Object.keys)

/** Facts that answer later: they are pending while the others are read. */
const slowPageFacts = { audio, voices, permissions, mediaDevices, keyboard } satisfies Partial<Facts<FactName>>

/** Read before everything else: a program that controls the browser shows here, and could wait until they are too late. */
const owedFirst = { windowGeometry, inspection } satisfies Partial<Facts<FactName>>

const otherPageFacts = {
  mediaQueries,
  deviceToken,
  plugins,
  storage,
  codecs,
  automation,
  alteredFunctions,
  blobStorage,
  pageCanvasExact,
} satisfies Partial<Facts<FactName>>

/** In the order in which they are read. A call without side effects, so that the worker's bundle can leave it out. */
export const pageFacts = /* @__PURE__ */ Object.assign({}, owedFirst, slowPageFacts, plainFacts, otherPageFacts)

/** Throws a compile error if a fact of the contract is missing. */
void ({} as typeof pageFacts & typeof workerFacts satisfies Facts<FactName>)
