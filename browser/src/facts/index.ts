// Which facts exist, and how is each one read?

import type { FactName, Facts } from '../collect/fact.ts'
import { alteredFunctions } from './altered-functions.ts'
import { audio } from './audio.ts'
import { automation } from './automation.ts'
import { blobStorage } from './blob-storage.ts'
import { canvas } from './canvas.ts'
import { clientHints } from './client-hints.ts'
import { codecs } from './codecs.ts'
import { connection } from './connection.ts'
import { cookieEnabled } from './cookie-enabled.ts'
import { cpuArchitecture } from './cpu-architecture.ts'
import { deviceMemory } from './device-memory.ts'
import { devicePixelRatio } from './device-pixel-ratio.ts'
import { deviceToken } from './device-token.ts'
import { engine } from './engine.ts'
import { fileSystem } from './file-system.ts'
import { fontFamily } from './font-family.ts'
import { fontWidths } from './font-widths.ts'
import { fonts } from './fonts.ts'
import { hardwareConcurrency } from './hardware-concurrency.ts'
import { inspection } from './inspection.ts'
import { keyboard } from './keyboard.ts'
import { language } from './language.ts'
import { languages } from './languages.ts'
import { locale } from './locale.ts'
import { math } from './math.ts'
import { maxTouchPoints } from './max-touch-points.ts'
import { mediaDevices } from './media-devices.ts'
import { mediaQueries } from './media-queries.ts'
import { pageCanvasExact } from './page-canvas-exact.ts'
import { permissions } from './permissions.ts'
import { platform } from './platform.ts'
import { plugins } from './plugins.ts'
import { screen } from './screen.ts'
import { storage } from './storage.ts'
import { timezone } from './timezone.ts'
import { timezoneOffset } from './timezone-offset.ts'
import { userAgent } from './user-agent.ts'
import { vendor } from './vendor.ts'
import { voices } from './voices.ts'
import { webgl } from './webgl.ts'
import { windowGeometry } from './window-geometry.ts'
import { workerScope } from './worker-scope.ts'

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
