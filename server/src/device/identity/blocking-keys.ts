// Which keys find a known device? Each combines several components, so that one changed component does not hide the device.

import { number53, saltedHash } from '../../core/crypto/salted-hash.ts'
import { type Component, type Family, place } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'

/** A key with more devices than this is full: it gives no candidates and stores no more devices. */
export const mostDevicesOfAKey = 64

type KeyComponents = Readonly<Record<string, readonly Component[]>>

/**
 * Components of each key. Keys leave out different facts, so that neither a change nor a missing fact hides a device: a key counts
 * only when all of its components are known. Two keys need no more than the network, which every visit shows; in an office, where a
 * network is full, the graphics card narrows it down. A mobile network is identified by the region of its ISP, not by its 256 IP
 * addresses.
 */
const desktop = {
  whole: [
    'gpu',
    'cores',
    'memory',
    'screen',
    'pixelRatio',
    'area',
    'zone',
    'languages',
    'image',
    'canvasText',
    'fonts',
  ],
  rendering: ['canvasText', 'image', 'fonts'],
  software: ['fonts', 'fontWidths', 'voices', 'locale'],
  graphics: ['gpu', 'image', 'screen', 'zone', 'languages'],
  display: ['canvasText', 'screen', 'area', 'zone', 'languages'],
  // Finds a traveller whose browser has neither WebGL nor voices.
  chassis: ['cores', 'memory', 'fonts', 'fontWidths', 'screen', 'locale'],
  network: ['gpu', 'network'],
  neighbours: ['network'],
} as const satisfies KeyComponents

/** Safari on a Mac reports little; the screen area beside the Dock says most. */
const { chassis: _, ...ofDesktop } = desktop
const webkit = {
  ...ofDesktop,
  frame: ['screen', 'area', 'zone', 'locale'],
  network: ['screen', 'network'],
} as const satisfies KeyComponents

/** Phones of one model render the same and have the same fonts, so their keys contain the model. */
const phone = {
  whole: [
    'model',
    'gpu',
    'screen',
    'pixelRatio',
    'zone',
    'languages',
    'media',
    'image',
    'canvasText',
    'fonts',
    'osVersion',
  ],
  settings: ['model', 'screen', 'pixelRatio', 'zone', 'locale', 'languages', 'media'],
  // The next three find a visit with half of its facts.
  setup: ['model', 'languages'],
  faces: ['image', 'languages'],
  card: ['gpu', 'provider', 'locale'],
  region: ['model', 'locale', 'provider'],
  network: ['model', 'network'],
  neighbours: ['network'],
} as const satisfies KeyComponents

export type KeyName = keyof typeof desktop | keyof typeof webkit | keyof typeof phone

/** Components that no browser of the family has: their absence is no missing fact. */
const absent: Readonly<Record<Family, readonly Component[]>> = {
  'blink-desktop': [],
  'blink-mobile': [],
  // Private windows report another number of cores, and each session draws another canvas.
  gecko: ['canvasText', 'memory', 'cores'],
  webkit: ['memory'],
}

interface PlacedKey {
  readonly name: KeyName
  /** Places of its components. */
  readonly of: readonly number[]
}

const placesOf = (names: readonly Component[]) => names.map((name) => place[name])
const placed = (family: Family, keys: KeyComponents): PlacedKey[] =>
  Object.entries(keys).map(([name, of]) => ({
    name: name as KeyName,
    of: placesOf(of.filter((its) => !absent[family].includes(its))),
  }))

const keysOfFamily: Record<Family, readonly PlacedKey[]> = {
  'blink-desktop': placed('blink-desktop', desktop),
  'blink-mobile': placed('blink-mobile', phone),
  gecko: placed('gecko', desktop),
  webkit: placed('webkit', webkit),
}

/** In order. */
export const keyNamesOf = (family: Family): KeyName[] => keysOfFamily[family].map(({ name }) => name)

/** Places of the components of a key. */
export const placesOfKey = (family: Family, name: KeyName): readonly number[] =>
  keysOfFamily[family].find((key) => key.name === name)!.of

export interface NamedKey {
  readonly name: KeyName
  /** 53 bits of a hash under the tenant's secret. */
  readonly key: number
}

/** Keys of a visit, at most eight. None for an indistinguishable device. */
export function blockingKeys(fingerprint: Fingerprint, salt: string): NamedKey[] {
  return namedKeys(fingerprint, fingerprint.hashes, salt, keysOfFamily[fingerprint.family])
}

function namedKeys(
  fingerprint: Fingerprint,
  hashes: Uint32Array,
  salt: string,
  keys: readonly PlacedKey[],
): NamedKey[] {
  if (fingerprint.isIndistinguishable) return []
  return keys
    .filter(({ of }) => of.every((its) => hashes[its] !== 0))
    .map(({ name, of }) => ({ name, key: keyOf(fingerprint.platformKey, hashes, salt, name, of) }))
}

/** No key contains both. */
const networks = placesOf(['network', 'provider'])

/** The stored keys of a device: those of its last visit, and those of its previous networks. */
export function keysOfDevice(known: KnownFingerprint, salt: string): Set<number> {
  const keys = new Set(blockingKeys(known, salt).map(({ key }) => key))
  for (const part of networks) {
    const its = keysOfFamily[known.family].filter(({ of }) => of.includes(part))
    for (const before of known.previous.get(part) ?? []) {
      for (const { key } of namedKeys(known, known.hashes.with(part, before), salt, its)) keys.add(key)
    }
  }
  return keys
}

const claimed = placesOf([
  ...(['gpu', 'cores', 'memory', 'touch', 'architecture', 'model', 'platform'] as const),
  ...(['version', 'screen', 'languages', 'address'] as const),
])

/**
 * A key that two concurrent first visits of one device share: from components that do not depend on timing. Indistinguishable
 * devices share only their installation; without one, two such visits are of two devices.
 */
export function claimKey(fingerprint: Fingerprint, installation: string | undefined, salt: string): number | undefined {
  if (!fingerprint.isIndistinguishable)
    return keyOf(fingerprint.platformKey, fingerprint.hashes, salt, 'claim', claimed)
  return installation === undefined
    ? undefined
    : keyOf(fingerprint.platformKey, fingerprint.hashes, salt, `claim ${installation}`, [])
}

function keyOf(platformKey: number, hashes: Uint32Array, salt: string, name: string, of: readonly number[]): number {
  let values = ''
  for (const its of of) values += values === '' ? hashes[its] : ` ${hashes[its]}`
  return number53(saltedHash(salt, name, `${platformKey}\n${values}`))
}
