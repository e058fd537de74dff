// Which facts does a browser report? The server judges what they mean.

import Type, { type Static } from 'typebox'
import { part } from '../schema-parts.ts'
import { offsetMinutes, pixels, position, ratio } from './measures.ts'

const text = (description: string, maxLength = 1024) => Type.String({ description, maxLength })
const hash = (description: string) => Type.String({ description: `${description}; hash in hex`, maxLength: 64 })
const texts = (description: string, maxItems: number) =>
  Type.Array(Type.String({ maxLength: 256 }), { description, maxItems })

const Brand = Type.Object(
  { brand: Type.String({ maxLength: 64 }), version: Type.String({ maxLength: 64 }) },
  { additionalProperties: false },
)

/**
 * Facts of a browser; a function of the same name in browser/src/facts reads each. A fact is absent when the browser does not report it, or took
 * too long; `factsMissing` says which. The server drops a fact of a wrong type and records its name, because that is a sign of tampering.
 */
export const WebFacts = Type.Partial(
  Type.Object({
    userAgent: text('navigator.userAgent'),
    platform: text('navigator.platform', 128),
    vendor: text('navigator.vendor', 128),
    connection: text('navigator.connection.effectiveType', 32),
    language: text('navigator.language', 64),
    languages: texts('navigator.languages', 64),
    cookieEnabled: Type.Boolean({ description: 'navigator.cookieEnabled, confirmed by a cookie' }),
    screen: part('Screen, in CSS pixels', {
      width: pixels(),
      height: pixels(),
      availWidth: pixels(),
      availHeight: pixels(),
      availLeft: position(),
      availTop: position(),
      colorDepth: Type.Integer({ minimum: 0, maximum: 256 }),
    }),
    devicePixelRatio: ratio('devicePixelRatio'),
    timezoneOffset: offsetMinutes('Minutes as in Date.getTimezoneOffset: behind UTC is positive'),
    timezone: text('IANA name, from Intl', 64),
    cpuArchitecture: text('From high-entropy client hints, else from the sign of NaN: x86_64, x86, arm64 or arm', 64),
    fontFamily: text('Default font', 256),
    clientHints: part('navigator.userAgentData with its high-entropy values', {
      brands: Type.Array(Brand, { maxItems: 16 }),
      fullVersionList: Type.Array(Brand, { maxItems: 16 }),
      mobile: Type.Boolean(),
      platform: Type.String({ maxLength: 64 }),
      platformVersion: Type.String({ maxLength: 64 }),
      architecture: Type.String({ maxLength: 64 }),
      bitness: Type.String({ maxLength: 8 }),
      model: Type.String({ maxLength: 128 }),
      formFactors: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 }),
    }),
    hardwareConcurrency: Type.Integer({ description: 'navigator.hardwareConcurrency' }),
    deviceMemory: Type.Number({ description: 'navigator.deviceMemory, GiB' }),
    maxTouchPoints: Type.Integer({ description: 'navigator.maxTouchPoints' }),
    canvas: part('Rendering of a 2D canvas', {
      geometry: hash('Shapes'),
      text: hash('Text and emoji'),
      isStable: Type.Boolean({
        description:
          'Two drawings have the same pixels, and so has a copy of one. Noise that depends on the picture alone does not show',
      }),
      isExact: Type.Boolean({ description: 'Painted colours are read back unchanged' }),
    }),
    audio: Type.Number({ description: 'Sum of samples of an offline rendering' }),
    fonts: texts('Installed fonts of a list', 256),
    webgl: part('WebGL', {
      vendor: Type.String({ maxLength: 256, description: 'Unmasked' }),
      renderer: Type.String({ maxLength: 256, description: 'Unmasked' }),
      parameters: hash('Limits'),
      extensions: hash('Extensions'),
      image: hash('Rendering'),
    }),
    math: hash('Results of functions whose last digits depend on engine and platform'),
    voices: texts('Voices of speech synthesis', 512),
    plugins: texts('navigator.plugins', 64),
    mediaQueries: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 32 }), {
      description: 'Results of media queries for display and preferences, by feature',
      maxProperties: 32,
    }),
    fontWidths: Type.Array(Type.Number(), {
      description: 'Widths of one text in the generic fonts, in pixels',
      maxItems: 16,
    }),
    permissions: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 16 }), {
      description: 'granted, denied or prompt, by permission',
      maxProperties: 64,
    }),
    mediaDevices: Type.Record(Type.String({ maxLength: 32 }), Type.Integer(), {
      description: 'Counts of cameras, microphones and loudspeakers, by kind',
      maxProperties: 8,
    }),
    keyboard: text('Characters of some keys in the current layout; Chromium only', 128),
    locale: text('Locale, calendar, digits and hour cycle of Intl', 128),
    storage: part('Storage that the page may use', {
      localStorage: Type.Boolean(),
      sessionStorage: Type.Boolean(),
      indexedDB: Type.Boolean(),
    }),
    codecs: hash('Audio and video formats that can be played'),
    automation: part('Traces of browser automation', {
      webdriver: Type.Boolean({ description: 'navigator.webdriver' }),
      globals: texts('Names that tools leave on window, document and its root element', 16),
      chromeObject: Type.Boolean({ description: 'window.chrome exists' }),
      notificationPermission: Type.String({ maxLength: 16, description: 'Notification.permission' }),
    }),
    inspection: part('Traces of developer tools; V8 only', {
      stacksWritten: Type.Integer({
        description: 'Error stacks that were serialised for a reader of the console',
      }),
      awaitRatio: Type.Number({
        description: 'If stacks were serialised: time of 1,000 awaits divided by the time of 30,000 arithmetic steps',
      }),
    }),
    alteredFunctions: texts("Functions of the browser that were replaced, such as 'Navigator.webdriver'", 64),
    engine: part('Features of the engine', {
      nativeTextLength: Type.Integer({ description: 'Length of the text of the function Array' }),
      isV8: Type.Boolean({ description: 'Intl.v8BreakIterator exists' }),
      features: texts('Supported language features of a list', 32),
    }),
    workerScope: part('The same facts, read in a worker', {
      userAgent: Type.String({ maxLength: 1024 }),
      platform: Type.String({ maxLength: 128 }),
      languages: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 64 }),
      hardwareConcurrency: Type.Integer(),
      deviceMemory: Type.Number(),
      timezone: Type.String({ maxLength: 64 }),
      timezoneOffset: offsetMinutes('Minutes as in Date.getTimezoneOffset'),
      hintedPlatform: Type.String({ maxLength: 64, description: 'navigator.userAgentData.platform' }),
    }),
    fileSystem: part('Private file system of the origin', {
      error: Type.String({ maxLength: 64, description: 'Name of the error when access is refused' }),
      callMicros: Type.Number({ description: 'Response time of an open file in microseconds' }),
    }),
    blobStorage: text('WebKit only: kept, or the name of the error when a file is stored in a database', 64),
    pageCanvasExact: Type.Boolean({ description: 'A canvas of the page returns the painted colours unchanged' }),
    windowGeometry: part('Window, in CSS pixels', {
      innerWidth: Type.Integer(),
      innerHeight: Type.Integer(),
      outerWidth: Type.Integer(),
      outerHeight: Type.Integer(),
      screenX: Type.Integer(),
      screenY: Type.Integer(),
      isTop: Type.Boolean({ description: 'The page is not in a frame' }),
    }),
    deviceToken: text('The device token that the service gave this browser'),
  }),
  { $id: 'WebFacts', description: 'Facts of a browser' },
)
export type WebFacts = Static<typeof WebFacts>
