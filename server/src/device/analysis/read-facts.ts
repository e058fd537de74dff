// Which facts did the device report? Those of the right type; others are dropped and their names recorded.

import type { DevicePlatform } from '@ringfence/contract'
import { AndroidFacts, type Facts, IosFacts, WebFacts } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import { compileOnUse } from '../../core/json/compile-on-use.ts'

export interface ReadFacts {
  readonly facts: Facts
  /** Names of facts of a wrong type, or that no genuine SDK sends; at most 32. */
  readonly malformedFacts: readonly string[]
  /** How many facts this server does not know. */
  readonly unknownFacts: number
}

/** Returns the fact with only the parts that its schema names, as others are unchecked; undefined when it is malformed. */
type Read = (value: unknown) => unknown

/** What of a schema says how long a value may be. */
export interface Shape {
  readonly type?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

type Cut = (value: unknown, shape: Shape) => unknown

const readersOf = (
  { properties }: { properties: Readonly<Record<string, Shape>> },
  cut: Cut = (value) => value,
): ReadonlyMap<string, Read> => new Map(Object.entries(properties).map(([name, shape]) => [name, readerOf(shape, cut)]))

function readerOf(shape: Shape, cut: Cut): Read {
  const compiled = compileOnUse(shape as TSchema)
  const parts = shape.properties && Object.keys(shape.properties)
  return (sent) => {
    // Not a fact that is one text: half of an id would be that of another device.
    const value = typeof sent === 'string' ? sent : cut(sent, shape)
    if (!compiled.Check(value)) return undefined
    const known = parts ? picked(value as object, parts) : value
    return isWellFormed(known) ? known : undefined
  }
}

/** Makers of phones write texts of any length. The parts of a fact are cut, so that one too long does not cost the others. */
function cutToShape(value: unknown, { maxLength, maxItems, items, properties = {} }: Shape): unknown {
  if (typeof value === 'string' && maxLength !== undefined && value.length > maxLength)
    return value.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
  if (Array.isArray(value) && items) return value.slice(0, maxItems).map((item) => cutToShape(item, items))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const parts = picked(value, Object.keys(properties))
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, cutToShape(part, properties[name]!)]))
}

function picked(value: object, names: readonly string[]): object {
  const known: Record<string, unknown> = {}
  for (const name of names) if (Object.hasOwn(value, name)) known[name] = Reflect.get(value, name)
  return known
}

const readersByPlatform = {
  WEB: readersOf(WebFacts),
  IOS: readersOf(IosFacts),
  ANDROID: readersOf(AndroidFacts, cutToShape),
}

/** Names that reach into every JavaScript object. */
const prototypeKeys = ['__proto__', 'constructor', 'prototype']
const mostNames = 32

/** Never fails. Unknown facts are counted and dropped, unknown parts dropped: a newer SDK may send them. */
export function readFacts(reported: Readonly<Record<string, unknown>>, platform: DevicePlatform = 'WEB'): ReadFacts {
  const readers = readersByPlatform[platform]
  const facts: Record<string, unknown> = {}
  const malformed: string[] = []
  let unknownFacts = 0
  for (const name of Object.keys(reported)) {
    const read = readers.get(name)
    const fact = read?.(reported[name])
    if (fact !== undefined) facts[name] = fact
    else if (read || prototypeKeys.includes(name)) malformed.push(name)
    else unknownFacts++
  }
  return { facts: facts as Facts, malformedFacts: malformed.slice(0, mostNames), unknownFacts }
}

/** True when no text has a lone surrogate, which UTF-8 cannot encode, and no key is one of the prototype. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.keys(value).every(
    (key) => key.isWellFormed() && !prototypeKeys.includes(key) && isWellFormed(Reflect.get(value, key)),
  )
}
