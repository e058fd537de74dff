// What did the device say, as far as it can be meant? Facts of their types; the rest is dropped, and its names are kept.

import { AndroidFacts, type Facts, IosFacts, WebFacts } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { DevicePlatform } from '../apps/app.ts'

export interface ReadFacts {
  readonly facts: Facts
  /** Names of those that are of another type than they can be, or that no honest SDK sends; at most 32. */
  readonly malformedFacts: readonly string[]
}

interface Reader {
  check(value: unknown): boolean
  /** Of a value that passes: the parts that the schema names, as nothing has checked the others. */
  known(value: unknown): unknown
}

const readersOf = ({ properties }: { properties: Readonly<Record<string, Shape>> }): ReadonlyMap<string, Reader> =>
  new Map(
    Object.entries(properties).map(([name, shape]) => {
      const compiled = Compile(shape as TSchema)
      return [name, { check: (value) => compiled.Check(value) && isWellFormed(value), known: knownBy(shape) }]
    }),
  )

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, object>>
}

function knownBy({ properties }: Shape): Reader['known'] {
  if (!properties) return (value) => value
  const names = Object.keys(properties)
  return (value) => {
    const known: Record<string, unknown> = {}
    for (const name of names) if (Object.hasOwn(value as object, name)) known[name] = Reflect.get(value as object, name)
    return known
  }
}

const readersByPlatform = { WEB: readersOf(WebFacts), IOS: readersOf(IosFacts), ANDROID: readersOf(AndroidFacts) }

/** Names that reach into every object of JavaScript. */
const prototypeKeys = ['__proto__', 'constructor', 'prototype']
const namedAtMost = 32

/** Never refuses. A fact, or a part of one, that this version does not know is dropped in silence: a newer SDK may send it. */
export function readFacts(given: Readonly<Record<string, unknown>>, platform: DevicePlatform = 'WEB'): ReadFacts {
  const readers = readersByPlatform[platform]
  const facts: [string, unknown][] = []
  const malformed: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const reader = readers.get(name)
    if (reader?.check(value)) facts.push([name, reader.known(value)])
    else if (reader || prototypeKeys.includes(name)) malformed.push(name)
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
