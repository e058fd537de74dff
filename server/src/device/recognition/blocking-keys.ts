// Under which few keys is a device found again? Compound ones, so that no change of one component hides it from all of them.

import { hash } from 'node:crypto'
import { type Component, type Family, place } from './components.ts'
import type { KnownPortrait, Portrait } from './portrait.ts'

/** Above this many devices a key tells nothing: it gives no candidates and takes no more devices. */
export const mostDevicesOfAKey = 64

const hardware: readonly Component[] = ['gpu', 'cores', 'memory', 'touch', 'architecture', 'model', 'platform']
/** Firefox tells other cores in private windows. */
const geckoHardware = hardware.filter((name) => name !== 'cores')

interface BlockingKey {
  readonly of: readonly Component[]
  /** Without these it would be another key once more. */
  readonly needs: readonly Component[]
}

/**
 * Each key leaves out another kind of thing that changes. On desktops, what changes often (languages, audio, the area that task
 * bars leave) stands in no key but the finest. Phones of one model draw the same and have the same installed, so that keys without
 * the model tell nothing there; a mobile network is known by its provider's region rather than by its 256 addresses.
 */
function keysOf(machine: readonly Component[]) {
  const shown: readonly Component[] = [...machine, 'screen', 'pixelRatio', 'zone', 'locale']
  const settings: readonly Component[] = [...shown, 'languages', 'media', 'permissions']
  const drawn: readonly Component[] = ['image', 'canvasText', 'fonts', 'fontWidths', 'voices']
  const network = { of: [...machine, 'network'], needs: ['network'] } as const
  const both = {
    rendering: { of: ['canvasText', 'image', 'fonts', 'fontWidths'], needs: ['fonts'] },
    software: { of: [...machine, 'fonts', 'fontWidths', 'voices', 'locale'], needs: ['fonts'] },
    display: { of: [...shown, 'media'], needs: ['screen'] },
    network,
    graphics: { of: ['gpu', 'image', 'zone', 'languages', 'keyboard', 'screen'], needs: ['image'] },
    place: { of: ['fonts', 'fontWidths', 'zone', 'locale', 'network'], needs: ['fonts', 'network'] },
  } as const satisfies Record<string, BlockingKey>
  return {
    desktop: { ...both, whole: { of: [...settings, ...drawn, 'keyboard', 'area'], needs: ['screen'] } },
    // Of a Mac, Safari tells little that does not change: the coarse key finds more there than the finest.
    webkit: { ...both, hardware: { of: [...machine, 'zone', 'locale'], needs: ['platform'] } },
    phone: {
      whole: { of: [...settings, ...drawn, 'osVersion'], needs: ['screen'] },
      settings: { of: settings, needs: ['screen'] },
      model: { of: shown, needs: ['screen'] },
      make: { of: [...machine, ...drawn, 'screen', 'pixelRatio', 'locale'], needs: ['screen'] },
      network,
      region: { of: [...shown, 'provider'], needs: ['screen', 'provider'] },
      // Tells how crowded a network is: that of a carrier is full, that of a home is not.
      neighbours: { of: ['network'], needs: ['network'] },
    },
  } as const satisfies Record<string, Record<string, BlockingKey>>
}

type Keys = ReturnType<typeof keysOf>
export type KeyName = keyof Keys['desktop'] | keyof Keys['webkit'] | keyof Keys['phone']

const { desktop, webkit, phone } = keysOf(hardware)
const { desktop: gecko } = keysOf(geckoHardware)

const entriesOf = (keys: Partial<Record<KeyName, BlockingKey>>) => Object.entries(keys) as [KeyName, BlockingKey][]

const keysOfFamily: Record<Family, readonly (readonly [KeyName, BlockingKey])[]> = {
  'blink-desktop': entriesOf(desktop),
  'blink-mobile': entriesOf(phone),
  gecko: entriesOf(gecko),
  webkit: entriesOf(webkit),
}

export const keyNamesOf = (family: Family): KeyName[] => keysOfFamily[family].map(([name]) => name)

/** Of which components a key is made. */
export const componentsOf = (family: Family, name: KeyName): readonly Component[] =>
  keysOfFamily[family].find(([its]) => its === name)![1].of

export interface NamedKey {
  readonly name: KeyName
  /** 53 bits of a hash under the tenant's secret. */
  readonly key: number
}

/** Keys of a visit, at most seven. None for one of those that all look alike. */
export function blockingKeys(portrait: Portrait, salt: string): NamedKey[] {
  if (portrait.isUniform) return []
  return keysOfFamily[portrait.family]
    .filter(([, { needs }]) => needs.every((name) => portrait.hashes[place[name]] !== 0))
    .map(([name, { of }]) => ({ name, key: keyOf(portrait, salt, name, of) }))
}

/** Keys under which a device is found: those of its last visit, and those of the networks that it came from before. */
export function keysOfDevice(known: KnownPortrait, salt: string): Set<number> {
  const keys = new Set(blockingKeys(known, salt).map(({ key }) => key))
  for (const network of ['network', 'provider'] as const) {
    for (const before of known.former.get(place[network]) ?? []) {
      const hashes = known.hashes.with(place[network], before)
      for (const { name, key } of blockingKeys({ ...known, hashes }, salt))
        if (networkOf[name] === network) keys.add(key)
    }
  }
  return keys
}

/** The keys in which a network has a part. */
const networkOf: Partial<Record<KeyName, Component>> = {
  network: 'network',
  place: 'network',
  neighbours: 'network',
  region: 'provider',
}

/**
 * What two first visits at the same moment share when they are of one device: whatever does not depend on timing. Devices that
 * all look alike share only their installation; without one, two such visits are of two devices.
 */
export function claimKey(portrait: Portrait, installation: string | undefined, salt: string): number | undefined {
  if (!portrait.isUniform)
    return keyOf(portrait, salt, 'claim', [...hardware, 'version', 'screen', 'languages', 'address'])
  return installation === undefined ? undefined : keyOf(portrait, salt, `claim ${installation}`, [])
}

function keyOf({ line, hashes }: Portrait, salt: string, name: string, of: readonly Component[]): number {
  const values = of.map((component) => hashes[place[component]]).join(' ')
  const digest = hash('sha256', `${salt}\n${name}\n${line}\n${values}`, 'buffer')
  return digest.readUIntLE(0, 6) * 32 + (digest[6]! & 31)
}
