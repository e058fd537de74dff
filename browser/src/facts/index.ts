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

/** Need no page, so they are read in a worker where possible. The important ones come early. */
export const workerFacts = {
  fileSystem,
  workerScope,
  canvas,
  webgl,
  fonts,
  fontWidths,
  locale,
  math,
  engine,
} satisfies Partial<Facts<FactName>>

/** Facts that answer later: they are pending while the others are read. */
const slowPageFacts = { audio, voices, permissions, mediaDevices, keyboard } satisfies Partial<Facts<FactName>>

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
  windowGeometry,
  inspection,
} satisfies Partial<Facts<FactName>>

/** In the order in which they are read. A call without side effects, so that the worker's bundle can leave it out. */
export const pageFacts = /* @__PURE__ */ Object.assign({}, slowPageFacts, plainFacts, otherPageFacts)

/** Throws a compile error if a fact of the contract is missing. */
void ({} as typeof pageFacts & typeof workerFacts satisfies Facts<FactName>)
