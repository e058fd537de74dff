// How is a device stored, so that visits can be compared but nothing can be read? As keyed hashes of 4 bytes per component.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { number32, saltedHash } from '../../core/crypto/salted-hash.ts'
import { components, connection, type Family, families, momentary, type Traits } from './components.ts'

/** One visit. 0 means that a component is unknown. */
export interface Fingerprint {
  readonly family: Family
  readonly platformKey: number
  readonly version: number
  readonly isIndistinguishable: boolean
  /** By place of the component. */
  readonly hashes: Uint32Array
}

/** A fingerprint, and previous values of its components: a second screen, the network at work, a journey. */
export interface KnownFingerprint extends Fingerprint {
  /** By place of the component, newest first. */
  readonly previous: ReadonlyMap<number, readonly number[]>
}

/** The maximum of previous values of one component, and of all. */
const mostPreviousOfOne = 3
const mostPrevious = 24

const form = 1
const headBytes = 9

/** A secret of the tenant: without it, nobody can compare hashes of guessed values with stored ones. */
export function saltOf(keys: TenantKeys): string {
  const known = salts.get(keys)
  if (known !== undefined) return known
  const salt = Buffer.from(keys.hash('device recognition')).toString('base64')
  salts.set(keys, salt)
  return salt
}
const salts = new WeakMap<TenantKeys, string>()

/** The fingerprint of one visit. `salt` is the tenant's. */
export function fingerprintOf(
  { family, platformKey, version, isIndistinguishable, values }: Traits,
  salt: string,
): Fingerprint {
  const hashes = new Uint32Array(components.length)
  components.forEach((name, place) => {
    const value = values[name]
    if (value !== undefined) hashes[place] = hashOf(salt, name, value)
  })
  return {
    family,
    platformKey: platformKey === '' ? 0 : hashOf(salt, 'line', platformKey),
    version,
    isIndistinguishable,
    hashes,
  }
}

/** The hash of the network of an IP address, as fingerprints have it; undefined when it is unknown. */
export function networkHashOf(address: string | undefined, salt: string): number | undefined {
  const { network } = connection(address)
  return network === undefined ? undefined : hashOf(salt, 'network', network)
}

/** 32 bits; never 0. */
const hashOf = (salt: string, name: string, value: string) => number32(saltedHash(salt, name, value)) || 1

/** The device after this visit: new values replace known ones, which become previous values. */
export function updated(known: KnownFingerprint, visit: Fingerprint): KnownFingerprint {
  if (visit.platformKey === 0) return known // the visit did not report its browser
  const hashes = new Uint32Array(known.hashes)
  const previous = new Map(known.previous)
  visit.hashes.forEach((hash, place) => {
    const before = known.hashes[place]!
    if (hash === 0 || hash === before) return
    hashes[place] = hash
    if (before === 0 || momentary.has(components[place]!)) return
    const others = (previous.get(place) ?? []).filter((one) => one !== hash)
    previous.delete(place) // moves to the end: the longest unchanged are dropped first
    previous.set(place, [before, ...others].slice(0, mostPreviousOfOne))
  })
  return { ...visit, version: visit.version || known.version, hashes, previous: bounded(previous) }
}

function bounded(previous: Map<number, readonly number[]>): Map<number, readonly number[]> {
  let count = [...previous.values()].reduce((sum, { length }) => sum + length, 0)
  for (const [place, { length }] of previous) {
    if (count <= mostPrevious) break
    previous.delete(place)
    count -= length
  }
  return previous
}

/** Names of components whose known value changed. */
export function changesBetween(known: Fingerprint, visit: Fingerprint): string[] {
  return components.filter((_, place) => {
    const [before, now] = [known.hashes[place]!, visit.hashes[place]!]
    return before !== 0 && now !== 0 && before !== now
  })
}

/** Version byte, family and kind, version, platformKey, number of hashes, hashes, then (place, hash) of previous values. */
export function packed({
  family,
  platformKey,
  version,
  isIndistinguishable,
  hashes,
  previous,
}: KnownFingerprint): Uint8Array {
  const previousValues = [...previous].flatMap(([place, values]) => values.map((value) => [place, value] as const))
  const bytes = Buffer.alloc(headBytes + 4 * hashes.length + 5 * previousValues.length)
  bytes[0] = form
  bytes[1] = families.indexOf(family) | (isIndistinguishable ? 0x80 : 0)
  bytes.writeUInt16LE(version, 2)
  bytes.writeUInt32LE(platformKey, 4)
  bytes[8] = hashes.length
  for (const [place, hash] of hashes.entries()) bytes.writeUInt32LE(hash, headBytes + 4 * place)
  for (const [index, [place, hash]] of previousValues.entries()) {
    const at = headBytes + 4 * hashes.length + 5 * index
    bytes[at] = place
    bytes.writeUInt32LE(hash, at + 1)
  }
  return bytes
}

/** A component that is newer than the stored fingerprint is unknown. @throws Error for an unknown format */
export function unpacked(stored: Uint8Array): KnownFingerprint {
  const family = families[stored[1]! & 0x7f]
  const count = stored[8]!
  if (stored[0] !== form || !family || stored.length < headBytes + 4 * count)
    throw new Error('not a fingerprint of a known form')
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  const hashes = new Uint32Array(Math.max(components.length, count))
  for (let place = 0; place < count; place++) hashes[place] = view.getUint32(headBytes + 4 * place, true)
  const previous = new Map<number, number[]>()
  for (let at = headBytes + 4 * count; at + 5 <= stored.length; at += 5) {
    const value = view.getUint32(at + 1, true)
    const values = previous.get(stored[at]!)
    if (values) values.push(value)
    else previous.set(stored[at]!, [value])
  }
  const isIndistinguishable = (stored[1]! & 0x80) !== 0
  return {
    family,
    platformKey: view.getUint32(4, true),
    version: view.getUint16(2, true),
    isIndistinguishable,
    hashes,
    previous,
  }
}
