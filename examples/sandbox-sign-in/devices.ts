// Which made-up devices can sign in to the sandbox? Each has the facts of a real browser, and a key that follows from its name.

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

/** The recorded browser of each device. */
const recordings = {
  laptop: 'chromium-at-home',
  'new-laptop': 'firefox-day-before',
  'thief-laptop': 'chromium-at-home',
  robot: 'chromedriver-plain',
} as const
/** All recordings are of one computer, so these devices would be recognised as the laptop. */
const otherHardware: Readonly<Record<string, { cores: number; width: number; audio: number; fonts: string[] }>> = {
  'thief-laptop': { cores: 12, width: 1920, audio: 124.08072766105033, fonts: ['Arial', 'Liberation Sans', 'Ubuntu'] },
  robot: { cores: 32, width: 1600, audio: 124.04347527516074, fonts: ['Cantarell', 'Noto Sans', 'Noto Serif'] },
}
export type DeviceName = keyof typeof recordings
export const deviceNames = Object.keys(recordings) as DeviceName[]

/** @param owner whose devices these are: those of two apps have different keys */
export function deviceNamed(name: DeviceName, owner: string): Device {
  const evidence = recorded(recordings[name])
  const key = installationKey(keyOf(`${owner} ${name}`))
  return { facts: factsOn(name, evidence.facts as WebFacts), headers: headersOf(evidence), key }
}

function factsOn(name: DeviceName, facts: WebFacts): WebFacts {
  const hardware = otherHardware[name]
  if (!hardware) return facts
  const { cores: hardwareConcurrency, width, audio, fonts } = hardware
  const drawn = (what: string) => createHash('md5').update(`${name} ${what}`).digest('hex').slice(0, 16)
  return {
    ...facts,
    audio,
    canvas: { ...facts.canvas, geometry: drawn('geometry'), text: drawn('text') },
    screen: { ...facts.screen, width, availWidth: width },
    fonts,
    fontWidths: (facts.fontWidths ?? []).map((each) => each - width / 100),
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
