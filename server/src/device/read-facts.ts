// What did the device say, as far as it can be meant? Facts of their types; the rest is dropped, and its names are kept.

import { type Facts, IosFacts, WebFacts } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { DevicePlatform } from '../apps/app.ts'

export interface ReadFacts {
  readonly facts: Facts
  /** Names of those that are of another type than they can be, or that no honest SDK sends; at most 32. */
  readonly malformedFacts: readonly string[]
}

const checksOf = (facts: typeof WebFacts | typeof IosFacts) =>
  new Map(Object.entries(facts.properties).map(([name, schema]) => [name, Compile(schema as TSchema)] as const))

const checksOfBrowsers = checksOf(WebFacts)
/** There is no Android SDK: its integrators tell what browsers have too. */
const checksByPlatform = { WEB: checksOfBrowsers, IOS: checksOf(IosFacts), ANDROID: checksOfBrowsers }

/** Names that reach into every object of JavaScript. */
const prototypeKeys = ['__proto__', 'constructor', 'prototype']
const namedAtMost = 32

/** Never refuses. A fact that this version does not know is dropped in silence: a newer SDK may send it. */
export function readFacts(given: Readonly<Record<string, unknown>>, platform: DevicePlatform = 'WEB'): ReadFacts {
  const checks = checksByPlatform[platform]
  const facts: [string, unknown][] = []
  const malformed: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const check = checks.get(name)
    if (check ? check.Check(value) && isWellFormed(value) : false) facts.push([name, value])
    else if (check || prototypeKeys.includes(name)) malformed.push(name)
  }
  return { facts: Object.fromEntries(facts) as Facts, malformedFacts: malformed.slice(0, namedAtMost) }
}

/** No text within it has a lone surrogate (it is no Unicode, and UTF-8 cannot hold it), no key is of the prototype. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(
    ([key, part]) => key.isWellFormed() && !prototypeKeys.includes(key) && isWellFormed(part),
  )
}
