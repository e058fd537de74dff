// Which keys find a known device? Each combines several components, so that one changed component does not hide the device.

import { number53, saltedHash } from '../../core/crypto/salted-hash.ts'
import { type Component, type Family, place } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'

/** A key with more devices than this is full: it gives no candidates and stores no more devices. */
export const mostDevicesOfAKey = 64

const hardware: readonly Component[] = ['gpu', 'cores', 'memory', 'touch', 'architecture', 'model', 'platform']
/** Firefox reports another number of cores in private windows. */
const geckoHardware = hardware.filter((name) => name !== 'cores')

interface BlockingKey {
  readonly of: readonly Component[]
  /** The key is not used when one of these is unknown. */
  readonly needs: readonly Component[]
}

/**
 * Each key leaves out other components that may change. On desktops, only the most specific key contains what changes often
 * (languages, audio, the available screen area). Phones of one model render the same and have the same fonts, so their keys contain
 * the model. A mobile network is identified by the region of its ISP, not by its 256 IP addresses.
 */
function keysOf(machine: readonly Component[]) {
  const shown: readonly Component[] = [...machine, 'screen', 'pixelRatio', 'zone', 'locale']
  const settings: readonly Component[] = [...shown, 'languages', 'media', 'permissions']
  const drawn: readonly Component[] = ['image', 'canvasText', 'fonts', 'fontWidths', 'voices']
  const network = { of: [...machine, 'network'], needs: ['network'] } as const
  // One visit in sixty has no WebGL, and a laptop with two graphics cards draws in two ways.
  const chassis: readonly Component[] = machine.filter((name) => name !== 'gpu')
  const both = {
    rendering: { of: ['canvasText', 'image', 'fonts', 'fontWidths'], needs: ['fonts'] },
    software: { of: [...machine, 'fonts', 'fontWidths', 'voices', 'locale'], needs: ['fonts'] },
    display: { of: [...shown, 'media'], needs: ['screen'] },
    network,
    chassis: {
      of: [...chassis, 'fonts', 'fontWidths', 'voices', 'screen', 'zone', 'locale'],
      needs: ['fonts', 'screen'],
    },
    graphics: { of: ['gpu', 'image', 'zone', 'languages', 'keyboard', 'screen', 'area'], needs: ['image'] },
    place: { of: ['fonts', 'fontWidths', 'zone', 'locale', 'network'], needs: ['fonts', 'network'] },
  } as const satisfies Record<string, BlockingKey>
  return {
    desktop: { ...both, whole: { of: [...settings, ...drawn, 'keyboard', 'area'], needs: ['screen'] } },
    // Safari on a Mac reports little; the screen area beside the Dock says most.
    webkit: { ...both, frame: { of: ['platform', 'screen', 'area', 'zone', 'locale'], needs: ['screen'] } },
    phone: {
      whole: { of: [...settings, ...drawn, 'osVersion'], needs: ['screen'] },
      settings: { of: settings, needs: ['screen'] },
      model: { of: shown, needs: ['screen'] },
      make: { of: [...machine, ...drawn, 'screen', 'pixelRatio', 'locale'], needs: ['screen'] },
      network,
      chassis: { of: [...chassis, 'screen', 'pixelRatio', 'zone', 'languages', 'audio', 'voices'], needs: ['screen'] },
      region: { of: [...shown, 'provider'], needs: ['screen', 'provider'] },
      // Shows how crowded a network is: the key of a carrier is full, the key of a home is not.
      neighbours: { of: ['network'], needs: ['network'] },
    },
  } as const satisfies Record<string, Record<string, BlockingKey>>
}

type Keys = ReturnType<typeof keysOf>
export type KeyName = keyof Keys['desktop'] | keyof Keys['webkit'] | keyof Keys['phone']

const { desktop, webkit, phone } = keysOf(hardware)
const { desktop: gecko } = keysOf(geckoHardware)

interface PlacedKey {
  readonly name: KeyName
  /** Places of its components. */
  readonly of: readonly number[]
  readonly needs: readonly number[]
}

const placesOf = (names: readonly Component[]) => names.map((name) => place[name])
const placed = (keys: Partial<Record<KeyName, BlockingKey>>): PlacedKey[] =>
  (Object.entries(keys) as [KeyName, BlockingKey][]).map(([name, { of, needs }]) => ({
    name,
    of: placesOf(of),
    needs: placesOf(needs),
  }))

const keysOfFamily: Record<Family, readonly PlacedKey[]> = {
  'blink-desktop': placed(desktop),
  'blink-mobile': placed(phone),
  gecko: placed(gecko),
  webkit: placed(webkit),
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
    .filter(({ needs }) => needs.every((its) => hashes[its] !== 0))
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

const claimed = placesOf([...hardware, 'version', 'screen', 'languages', 'address'])

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
