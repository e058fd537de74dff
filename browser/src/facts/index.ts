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
  clientHints,
  hardwareConcurrency,
  deviceMemory,
  maxTouchPoints,
} satisfies Partial<Facts<FactName>>

/** Need no page, so they are read in a worker where possible. */
export const workerFacts = {
  fileSystem,
  canvas,
  webgl,
  fonts,
  fontWidths,
  math,
  locale,
  engine,
  workerScope,
} satisfies Partial<Facts<FactName>>

/** Slow facts come first: the others are read while they are pending. */
export const pageFacts = {
  voices,
  audio,
  permissions,
  mediaDevices,
  keyboard,
  ...plainFacts,
  deviceToken,
  mediaQueries,
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

/** Every fact of the contract. A missing one is a compile error. */
export const fullFacts: Facts<FactName> = { ...pageFacts, ...workerFacts }
