// Which made-up devices can sign in? Each has the facts of a real browser; hardware and key follow from its name.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { WebFacts } from '@ringfence/contract'
import { keyOf, type SigningKey } from './signing-key.ts'

export interface MadeUpDevice {
  readonly facts: object
  /** Those of each call of its browser. */
  readonly headers: Readonly<Record<string, string>>
  readonly key: SigningKey
}

const fonts = ['Arial', 'Cantarell', 'DejaVu Serif', 'FreeSans', 'Gentium', 'Inter', 'Lato', 'Liberation Sans']
const cores = [4, 6, 8, 12, 16, 24, 32]
const chips = [
  'UHD Graphics 620',
  'Iris Xe Graphics',
  'HD Graphics 530',
  'UHD Graphics 770',
  'Arc A370M',
  'HD Graphics 4000',
]
const widths = [1366, 1440, 1600, 1680, 1920, 2048, 2560, 3840]

/** Recorded (server/src/device/testdata/recordings). A release has no test data, so these are copies. */
const browsers = {
  atHome: new URL('./browsers/chromium-at-home.json', import.meta.url),
  driven: new URL('./browsers/chromedriver-plain.json', import.meta.url),
}

interface RecordedBrowser {
  readonly facts: WebFacts
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The same name is the same device. A program drives the browser of each one whose name begins with `robot`.
 *
 * @param owner whose devices these are: those of two apps have different keys
 */
export function deviceNamed(name: string, owner: string): MadeUpDevice {
  const file = name.startsWith('robot') ? browsers.driven : browsers.atHome
  const { facts, headers } = JSON.parse(readFileSync(file, 'utf8')) as RecordedBrowser
  return { facts: onHardware(facts, name), headers, key: keyOf(`${owner} ${name}`) }
}

/** All recordings are of one computer. Without this, every device would be recognised as the same one. */
function onHardware(facts: WebFacts, name: string): WebFacts {
  const drawn = (what: string) => createHash('sha256').update(`${name} ${what}`).digest()
  const text = (what: string) => drawn(what).toString('hex', 0, 8)
  const one = <Value>(values: readonly Value[], what: string): Value => values[drawn(what)[0]! % values.length]!
  const width = one(widths, 'width')
  const hardwareConcurrency = one(cores, 'cores')
  const shift = drawn('font widths').readUInt16BE() / 1000
  return {
    ...facts,
    audio: 124 + drawn('audio').readUInt32BE() / 2 ** 35,
    canvas: { ...facts.canvas, geometry: text('geometry'), text: text('text') },
    screen: { ...facts.screen, width, availWidth: width },
    fonts: ['DejaVu Sans', ...fonts.filter((font) => drawn(font)[0]! % 2 === 0)],
    fontWidths: (facts.fontWidths ?? []).map((each) => each + shift),
    codecs: text('codecs'),
    keyboard: one(['` q a z y', '^ q a y z', '\u00b2 a q w y'], 'keyboard'),
    webgl: {
      vendor: 'Google Inc. (Intel)',
      renderer: `ANGLE (Intel, Mesa Intel(R) ${one(chips, 'chip')}, OpenGL 4.6)`,
      parameters: text('parameters'),
      extensions: text('extensions'),
      image: text('image'),
    },
    hardwareConcurrency,
    workerScope: { ...facts.workerScope, hardwareConcurrency },
  }
}
