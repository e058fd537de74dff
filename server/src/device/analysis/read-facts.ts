// What did the device say, as far as it can be meant? Facts of their types; the rest is dropped, and its names are kept.

import { AndroidFacts, type Facts, IosFacts, WebFacts } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { DevicePlatform } from '../../apps/app.ts'

export interface ReadFacts {
  readonly facts: Facts
  /** Names of those that are of another type than they can be, or that no honest SDK sends; at most 32. */
  readonly malformedFacts: readonly string[]
}

/** The fact, with the parts that its schema names, as nothing has checked others; undefined where it is malformed. */
type Read = (value: unknown) => unknown

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, object>>
}

const readersOf = ({ properties }: { properties: Readonly<Record<string, Shape>> }): ReadonlyMap<string, Read> =>
  new Map(Object.entries(properties).map(([name, shape]) => [name, readerOf(shape)]))

function readerOf(shape: Shape): Read {
  const compiled = Compile(shape as TSchema)
  const parts = shape.properties && Object.keys(shape.properties)
  return (value) => {
    if (!compiled.Check(value)) return undefined
    const known = parts ? picked(value as object, parts) : value
    return isWellFormed(known) ? known : undefined
  }
}

function picked(value: object, names: readonly string[]): object {
  const known: Record<string, unknown> = {}
  for (const name of names) if (Object.hasOwn(value, name)) known[name] = Reflect.get(value, name)
  return known
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
    const read = readers.get(name)
    const fact = read?.(value)
    if (fact !== undefined) facts.push([name, fact])
    else if (read || prototypeKeys.includes(name)) malformed.push(name)
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
