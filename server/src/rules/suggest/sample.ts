// Which labelled sessions are rules suggested from? A bounded sample, in two halves that share no user, number or device.

import type { RuleInput } from '../language/vocabulary.ts'

export interface LabelledSession {
  readonly input: RuleInput
  readonly isBad: boolean
}

/** A session of the sample; sessions of one group share a user, a phone number, a device or an installation. */
export interface GroupedSession extends LabelledSession {
  readonly group: number
}

export interface Halves {
  /** Conditions are chosen here … */
  readonly choosing: readonly GroupedSession[]
  /** … and measured here. */
  readonly heldOut: readonly GroupedSession[]
}

/** Keeps at most so many bad and so many good sessions: any that come later replace earlier ones at random, so all are equally likely. */
export class LabelledSample {
  readonly #most: number
  readonly #random = randomNumbers(1)
  readonly #kept = { bad: [] as LabelledSession[], good: [] as LabelledSession[] }
  readonly seen = { bad: 0, good: 0 }
  /** Labelled sessions that the rules stop already, and that are not in the sample: a suggestion would repeat these rules. */
  readonly stopped = { bad: 0, good: 0 }

  constructor(most = 20_000) {
    this.#most = most
  }

  add(session: LabelledSession): void {
    const kind = session.isBad ? 'bad' : 'good'
    const kept = this.#kept[kind]
    this.seen[kind]++
    if (kept.length < this.#most) kept.push(session)
    else {
      const place = Math.floor(this.#random() * this.seen[kind])
      if (place < this.#most) kept[place] = session
    }
  }

  /** How many good sessions one good session of the sample represents, in relation to a bad one. */
  get goodWeight(): number {
    const { bad, good } = this.#kept
    const each = (seen: number, kept: number) => (kept === 0 ? 1 : seen / kept)
    return each(this.seen.good, good.length) / each(this.seen.bad, bad.length)
  }

  /** Each half has half of the bad groups, and half of the others: chance could put all fraud into one. */
  halves(): Halves {
    const sessions = grouped([...this.#kept.bad, ...this.#kept.good])
    const badGroups = new Set(sessions.filter(({ isBad }) => isBad).map(({ group }) => group))
    const goodGroups = new Set(sessions.map(({ group }) => group).filter((group) => !badGroups.has(group)))
    const heldOut = new Set([badGroups, goodGroups].flatMap((groups) => halfOf(groups)))
    return {
      choosing: sessions.filter(({ group }) => !heldOut.has(group)),
      heldOut: sessions.filter(({ group }) => heldOut.has(group)),
    }
  }
}

/** Who a session belongs to: values that two sessions of one person, or of one attacker, have in common. */
function subjectsOf({ userId, phoneNumber, deviceId, installationId, updateInfo }: RuleInput): string[] {
  const subjects = { user: userId ?? updateInfo?.userId, number: phoneNumber ?? updateInfo?.phoneNumber }
  return Object.entries({ ...subjects, device: deviceId, installation: installationId }).flatMap(([kind, value]) =>
    value === undefined ? [] : [`${kind} ${value}`],
  )
}

/** Groups by union-find: a chain of shared subjects is one group. */
function grouped(sessions: readonly LabelledSession[]): GroupedSession[] {
  const parents = sessions.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) root = parents[root]!
    for (let at = index; at !== root; ) [at, parents[at]] = [parents[at]!, root]
    return root
  }
  const firstWith = new Map<string, number>()
  for (const [index, { input }] of sessions.entries()) {
    for (const subject of subjectsOf(input)) {
      const first = firstWith.get(subject)
      if (first === undefined) firstWith.set(subject, index)
      else parents[rootOf(index)] = rootOf(first)
    }
  }
  return sessions.map((session, index) => ({ ...session, group: rootOf(index) }))
}

/** By chance and not in turn: sessions may alternate, too. */
function halfOf(groups: ReadonlySet<number>): number[] {
  const random = randomNumbers(2)
  const shuffled = [...groups].map((group) => ({ group, place: random() })).sort((a, b) => a.place - b.place)
  return shuffled.slice(groups.size >> 1).map(({ group }) => group)
}

/** mulberry32: the same sample each time, 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
