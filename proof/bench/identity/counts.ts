// What is counted over the lives of a population? Ids of each device, visits with another device's id, and returns that were found.

import type { Group } from '../recognition/counts.ts'

export type Proof = 'first visit' | 'kept' | 'cleared'

export interface Counts {
  visits: number
  /** Visits that got an id that another device had first. */
  merged: number
  /** The same, of the visits without a token. */
  mergedWithoutToken: number
  withoutToken: number
  cleared: number
  /** Returns without a token that got an id their device had before. */
  own: number
  kept: number
  /** Returns with their token that got the same id as before. */
  keptOwn: number
  devices: number
  ids: number
  /** Devices with more than three ids. */
  many: number
}

const none = (): Counts => ({
  visits: 0,
  merged: 0,
  mergedWithoutToken: 0,
  withoutToken: 0,
  cleared: 0,
  own: 0,
  kept: 0,
  keptOwn: 0,
  devices: 0,
  ids: 0,
  many: 0,
})

/** Follows what one recogniser answers about each device. */
export class Scoreboard {
  readonly #ofGroup = new Map<Group, Counts>()
  readonly #owners = new Map<string, number>()
  readonly #ids = new Map<number, { group: Group; ids: Set<string> }>()

  /**
   * Records the id of a visit; says whether the device had this id before, another device has it, or nobody.
   * @param tokenId the id that the token of a visit that kept it belongs to
   */
  add(device: number, group: Group, proof: Proof, id: string, tokenId?: string): 'own' | 'other' | 'new' {
    const counts = this.#of(group)
    const its = this.#ids.get(device) ?? { group, ids: new Set() }
    this.#ids.set(device, its)
    const owner = this.#owners.get(id)
    if (owner === undefined) this.#owners.set(id, device)
    const isOther = owner !== undefined && owner !== device
    counts.visits++
    if (isOther) counts.merged++
    if (proof !== 'kept') {
      counts.withoutToken++
      if (isOther) counts.mergedWithoutToken++
    }
    if (proof === 'cleared') {
      counts.cleared++
      if (owner === device) counts.own++
    }
    if (proof === 'kept') {
      counts.kept++
      if (tokenId === id) counts.keptOwn++
    }
    its.ids.add(id)
    return owner === device ? 'own' : isOther ? 'other' : 'new'
  }

  /** Which device had an id first. */
  ownerOf(id: string): number | undefined {
    return this.#owners.get(id)
  }

  /** The figures of these groups together. */
  total(groups: readonly Group[]): Counts {
    const all = none()
    for (const group of groups) {
      const its = this.#of(group)
      for (const figure of Object.keys(all) as (keyof Counts)[]) all[figure] += its[figure]
    }
    for (const { group, ids } of this.#ids.values()) {
      if (!groups.includes(group)) continue
      all.devices++
      all.ids += ids.size
      if (ids.size > 3) all.many++
    }
    return all
  }

  #of(group: Group): Counts {
    const its = this.#ofGroup.get(group) ?? none()
    this.#ofGroup.set(group, its)
    return its
  }
}
