// What would simpler recognisers answer? An equal hash of the facts that last, and the rules of FP-STALKER.

import { hash, randomUUID } from 'node:crypto'
import type { WebFacts } from '@ringfence/contract'
import { traitsOf } from '../../../server/src/device/identity/components.ts'

/** Returns the id of a device for a visit without a token; `learn` follows a visit whose token names the id. */
export interface Recogniser {
  identify(facts: WebFacts): string
  learn(facts: WebFacts, id: string): void
}

/** Components that neither a network nor an update of the browser changes, as the open-source fingerprint libraries hash them. */
const lasting = [
  ...[
    'gpu',
    'parameters',
    'canvasShapes',
    'canvasText',
    'audio',
    'cores',
    'memory',
    'touch',
    'architecture',
    'platform',
  ],
  ...['screen', 'fonts', 'plugins', 'languages', 'zone', 'codecs', 'media', 'model'],
] as const

/** The same facts, the same device. */
export function equalHash(): Recogniser {
  const ids = new Map<string, string>()
  const keyOf = (facts: WebFacts) => {
    const { platformKey, values } = traitsOf(facts, undefined)
    const its = values as Readonly<Record<string, string | undefined>>
    return hash('md5', `${platformKey}\n${lasting.map((name) => its[name] ?? '').join('\n')}`)
  }
  const learn = (facts: WebFacts, id: string) => {
    const key = keyOf(facts)
    if (!ids.has(key)) ids.set(key, id)
  }
  return {
    learn,
    identify(facts) {
      const id = ids.get(keyOf(facts)) ?? randomUUID()
      learn(facts, id)
      return id
    },
  }
}

interface Known {
  readonly id: string
  readonly version: number
  /** Rule 3: must not change. */
  readonly constant: string
  /** Rule 4: at most two may change, and only to something similar. */
  readonly similar: readonly string[]
  /** Rule 5: at most one may change. */
  readonly free: readonly string[]
}

/**
 * The rules of FP-STALKER (Vastel et al., IEEE S&P 2018, algorithm 1): same system and browser, a version that never goes back, the
 * same canvas (where the browser does not randomise it), at most two similar changes of user agent, graphics card, plug-ins and
 * languages, at most one of screen and time zone, at most two in all. A visit that fits several devices gets a new id.
 */
export function fpStalker(): Recogniser {
  const known = new Map<string, Known>()
  /** Of three blocks of attributes, two changes leave one as it is. */
  const blocks = new Map<string, Set<string>>()
  const blocksOf = ({ constant, similar: [agent, vendor, renderer, plugins, languages], free }: Known) => [
    `a ${constant} ${vendor} ${renderer} ${languages}`,
    `b ${constant} ${free.join(' ')}`,
    `c ${constant} ${agent} ${plugins}`,
  ]
  const learn = (facts: WebFacts, id: string) => {
    const before = known.get(id)
    const now = attributesOf(facts, id)
    for (const block of before ? blocksOf(before) : []) blocks.get(block)?.delete(id)
    for (const block of blocksOf(now)) {
      const its = blocks.get(block)
      if (its) its.add(id)
      else blocks.set(block, new Set([id]))
    }
    known.set(id, now)
  }
  return {
    learn,
    identify(facts) {
      const visit = attributesOf(facts, '')
      const near = new Set(blocksOf(visit).flatMap((block) => [...(blocks.get(block) ?? [])]))
      const [exact, candidates]: [string[], string[]] = [[], []]
      for (const id of near) {
        const changes = changesOf(known.get(id)!, visit)
        if (changes === 0) exact.push(id)
        else if (changes !== undefined) candidates.push(id)
      }
      const fits = exact.length > 0 ? exact : candidates
      const id = fits.length === 1 ? fits[0]! : randomUUID()
      learn(facts, id)
      return id
    },
  }
}

function attributesOf(facts: WebFacts, id: string): Known {
  const { platformKey, version, values } = traitsOf(facts, undefined)
  return {
    id,
    version,
    constant: `${platformKey} ${values.canvasText ?? ''}`,
    similar: [
      facts.userAgent ?? '',
      facts.webgl?.vendor ?? '',
      facts.webgl?.renderer ?? '',
      facts.plugins?.join() ?? '',
      facts.languages?.join() ?? '',
    ],
    free: [`${facts.screen?.width}x${facts.screen?.height}`, facts.timezone ?? ''],
  }
}

/** Undefined when the rules exclude it. */
function changesOf(known: Known, visit: Known): number | undefined {
  if (known.constant !== visit.constant || visit.version < known.version) return undefined
  let similar = 0
  for (const [index, before] of known.similar.entries()) {
    const now = visit.similar[index]!
    if (before === now) continue
    if (++similar > 2 || ratio(before, now) < 0.75) return undefined
  }
  const free = known.free.filter((before, index) => before !== visit.free[index]).length
  return free > 1 || similar + free > 2 ? undefined : similar + free
}

/** Dice's coefficient of pairs of letters, 0 to 1; close to the ratio that the authors use. */
function ratio(a: string, b: string): number {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 2 <= a.length; at++) pairs.set(a.slice(at, at + 2), (pairs.get(a.slice(at, at + 2)) ?? 0) + 1)
  let common = 0
  for (let at = 0; at + 2 <= b.length; at++) {
    const left = pairs.get(b.slice(at, at + 2)) ?? 0
    if (left === 0) continue
    pairs.set(b.slice(at, at + 2), left - 1)
    common++
  }
  return (2 * common) / Math.max(1, a.length + b.length - 2)
}
