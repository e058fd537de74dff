// Which made-up devices can sign in to the sandbox? Each has the facts of a real browser; hardware and key follow from its name.

import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import type { WebFacts } from '@ringfence/contract'
import { headersOf } from '@ringfence/server/device/testdata/ordinary-report.ts'
import { recorded } from '@ringfence/server/device/testdata/recordings.ts'
import { type InstallationKey, installationKey } from '@ringfence/server/testing/installation-key.ts'

export interface Device {
  readonly facts: WebFacts
  /** Those of each call of its browser. */
  readonly headers: Readonly<Record<string, string>>
  readonly key: InstallationKey
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

/**
 * A program drives the browser of each device whose name begins with `robot`.
 *
 * @param owner whose devices these are: those of two apps have different keys
 */
export function deviceNamed(name: string, owner: string): Device {
  const evidence = recorded(name.startsWith('robot') ? 'chromedriver-plain' : 'chromium-at-home')
  const key = installationKey(keyOf(`${owner} ${name}`))
  return { facts: onHardware(evidence.facts as WebFacts, name), headers: headersOf(evidence), key }
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

/** The same P-256 key for the same seed, so that the device is known at its next visit. */
function keyOf(seed: string): KeyObject {
  const exchange = createECDH('prime256v1')
  const d = createHash('sha256').update(seed).digest()
  exchange.setPrivateKey(d)
  const point = exchange.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: x!, y: y! } })
}
