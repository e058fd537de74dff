// What do the laptops of one company look like? One model and one image; places, networks and a few habits differ.

import { components, place } from '../../identity/components.ts'
import type { KnownFingerprint } from '../../identity/fingerprint.ts'
import type { ProvenInstallation } from '../proven-pairs.ts'

export const dayMs = 86_400_000

/** What people change or where they are. */
const own = ['provider', 'network', 'address', 'window', 'languages', 'voices', 'permissions', 'zone', 'mediaDevices']

/** A number of 32 bits, never 0. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash || 1
}

/** `changes`: whether a component has had another value before. `network`: by default its own. */
export function companyLaptop(
  index: number,
  {
    changes = () => false,
    network = index,
    model = 'company',
  }: { changes?: (component: string) => boolean; network?: number; model?: string } = {},
): ProvenInstallation & { readonly fingerprint: KnownFingerprint } {
  const hashes = Uint32Array.from(components, (name) =>
    hashOf(`${name} ${own.includes(name) ? `of ${index}` : `of the ${model}`}`),
  )
  hashes[place.network] = hashOf(`network ${network}`)
  const previous = new Map<number, readonly number[]>()
  for (const [its, name] of components.entries())
    if (changes(name)) previous.set(its, [hashOf(`${name} before ${index}`)])
  return {
    fingerprint: {
      family: 'blink-desktop',
      platformKey: 7,
      version: 150,
      isIndistinguishable: false,
      hashes,
      previous,
    },
    firstSeenAt: 0,
    lastSeenAt: 10 * dayMs,
    accounts: new Set(),
  }
}
