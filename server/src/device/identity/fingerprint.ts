// How is a device kept so that visits can be compared with it, and nothing of it be read? As keyed hashes, 4 bytes a component.

import type { TenantKeys } from '../../crypto/keyring.ts'
import { number32, saltedHash } from '../../crypto/salted-hash.ts'
import { components, type Family, families, type Traits } from './components.ts'

/** What is kept of one visit. 0 stands for a component that was not told. */
export interface Fingerprint {
  readonly family: Family
  readonly platformKey: number
  readonly version: number
  readonly isIndistinguishable: boolean
  /** By component, in their order. */
  readonly hashes: Uint32Array
}

/** A fingerprint and earlier values of its components: a second screen, the network at work, a journey. */
export interface KnownFingerprint extends Fingerprint {
  /** By the component's place, newest first. */
  readonly previous: ReadonlyMap<number, readonly number[]>
}

/** Most earlier values that are kept of one component, and of all. */
const formerOfOne = 3
const formerOfAll = 24

const form = 1
const headBytes = 9

/** A secret of the tenant: without it, hashes of guessed values cannot be compared with what is stored. */
export const saltOf = (keys: TenantKeys) => Buffer.from(keys.hash('device recognition')).toString('base64')

/** The fingerprint of one visit, without anything earlier. `salt`: of the tenant. */
export function fingerprintOf(
  { family, platformKey, version, isIndistinguishable, values }: Traits,
  salt: string,
): Fingerprint {
  const hashes = new Uint32Array(components.length)
  for (const [place, name] of components.entries()) {
    const value = values[name]
    if (value !== undefined) hashes[place] = hashOf(salt, name, value)
  }
  return {
    family,
    platformKey: platformKey === '' ? 0 : hashOf(salt, 'line', platformKey),
    version,
    isIndistinguishable,
    hashes,
  }
}

/** 32 bits, of which 0 is not used. */
const hashOf = (salt: string, name: string, value: string) => number32(saltedHash(salt, name, value)) || 1

/** The device after this visit: what it told replaces what was known, which becomes previous. */
export function updated(known: KnownFingerprint, visit: Fingerprint): KnownFingerprint {
  if (visit.platformKey === 0) return known // it did not even name its browser
  const hashes = new Uint32Array(known.hashes)
  const previous = new Map(known.previous)
  for (const [place, hash] of visit.hashes.entries()) {
    const before = known.hashes[place]!
    if (hash === 0 || hash === before) continue
    hashes[place] = hash
    if (before === 0 || components[place] === 'version') continue
    const others = (previous.get(place) ?? []).filter((one) => one !== hash)
    previous.delete(place) // behind the others: the longest unchanged are dropped first
    previous.set(place, [before, ...others].slice(0, formerOfOne))
  }
  return { ...visit, version: visit.version || known.version, hashes, previous: bounded(previous) }
}

function bounded(previous: Map<number, readonly number[]>): Map<number, readonly number[]> {
  let count = [...previous.values()].reduce((sum, { length }) => sum + length, 0)
  for (const [place, { length }] of previous) {
    if (count <= formerOfAll) break
    previous.delete(place)
    count -= length
  }
  return previous
}

/** Names of components whose value is another than before, where both are known. */
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
  const formers = [...previous].flatMap(([place, values]) => values.map((value) => [place, value] as const))
  const bytes = Buffer.alloc(headBytes + 4 * hashes.length + 5 * formers.length)
  bytes[0] = form
  bytes[1] = families.indexOf(family) | (isIndistinguishable ? 0x80 : 0)
  bytes.writeUInt16LE(version, 2)
  bytes.writeUInt32LE(platformKey, 4)
  bytes[8] = hashes.length
  for (const [place, hash] of hashes.entries()) bytes.writeUInt32LE(hash, headBytes + 4 * place)
  for (const [index, [place, hash]] of formers.entries()) {
    const at = headBytes + 4 * hashes.length + 5 * index
    bytes[at] = place
    bytes.writeUInt32LE(hash, at + 1)
  }
  return bytes
}

/** Components that are newer than what was packed are unknown. Throws when the bytes are not of a known form. */
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
