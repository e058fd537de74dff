// How wide, deep and long may a body be? As its schema allows, with some room for fields that the schema does not name.

import { AndroidFacts, IosFacts, WebFacts } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import type { JsonBounds } from '../../core/json/json-bounds.ts'

/** For fields that are ignored, and for parts that a schema leaves open: params, additionalInput, facts of a newer SDK. */
const openMembers = 1000
const ordinaryDepth = 16
/** That of BODY_LIMIT_BYTES, by default. */
const ordinaryTextBytes = 65_536
/** A character of JSON has at most these bytes: `\u0041`. */
const bytesOfCharacter = 6

/** What a schema allows at most, where it says so. */
interface Most {
  readonly members: number
  readonly depth: number
  readonly characters: number
}

/** The bounds of a body. The member `facts` has a schema for each platform. */
export function boundsOf(schema: TSchema): JsonBounds {
  const hasFacts = Object.hasOwn((schema as Part).properties ?? {}, 'facts')
  const parts = [mostOf(schema as Part), ...(hasFacts ? [anyOf(factSchemas)] : [])]
  return {
    members: openMembers + sum(parts),
    depth: Math.max(ordinaryDepth, deepest(parts)),
    textBytes: Math.max(ordinaryTextBytes, bytesOfCharacter * longest(parts)),
  }
}

/** For what has no schema: a body that no endpoint takes, and each line of a batch. */
export const ordinaryBounds: JsonBounds = {
  members: openMembers,
  depth: ordinaryDepth,
  textBytes: ordinaryTextBytes,
}

interface Part {
  readonly anyOf?: readonly Part[]
  readonly properties?: Readonly<Record<string, Part>>
  readonly patternProperties?: Readonly<Record<string, Part>>
  readonly additionalProperties?: Part | boolean
  readonly maxProperties?: number
  readonly items?: Part
  readonly maxItems?: number
  readonly maxLength?: number
  /** Of a part that the schema does not describe further. */
  readonly 'x-bounds'?: { readonly members: number; readonly depth: number }
}

const factSchemas = [WebFacts, IosFacts, AndroidFacts] as readonly Part[]

function mostOf(part: Part): Most {
  if (part.anyOf) return anyOf(part.anyOf)
  const { additionalProperties: others } = part
  const ofOthers = typeof others === 'object' ? others : Object.values(part.patternProperties ?? {})[0]
  const members = [
    ...Object.values(part.properties ?? {}).map((each) => ({ each, count: 1 })),
    ...(ofOthers ? [{ each: ofOthers, count: part.maxProperties ?? 0 }] : []),
    ...(part.items ? [{ each: part.items, count: part.maxItems ?? 0 }] : []),
  ].map(({ each, count }) => ({ most: mostOf(each), count }))
  return {
    members:
      (part['x-bounds']?.members ?? 0) + members.reduce((all, { most, count }) => all + count * (1 + most.members), 0),
    depth: part['x-bounds']?.depth ?? 1 + deepest(members.map(({ most }) => most)),
    characters: Math.max(part.maxLength ?? 0, longest(members.map(({ most }) => most))),
  }
}

const anyOf = (parts: readonly Part[]): Most => {
  const each = parts.map(mostOf)
  return { members: Math.max(...each.map(({ members }) => members)), depth: deepest(each), characters: longest(each) }
}

const sum = (parts: readonly Most[]) => parts.reduce((all, { members }) => all + members, 0)
const deepest = (parts: readonly Most[]) => Math.max(0, ...parts.map(({ depth }) => depth))
const longest = (parts: readonly Most[]) => Math.max(0, ...parts.map(({ characters }) => characters))
