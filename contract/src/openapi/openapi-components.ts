// Which schemas do the operations of the OpenAPI document share? Those with an `$id`, each with its examples.

import type { TSchema } from 'typebox'

export type Json = { [key: string]: unknown }

/** Example bodies by the `$id` of their schema and the name of their case (samples.ts). */
export type Samples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The schemas with an `$id` that were described until now, and what their examples are. */
export class Components {
  readonly schemas: Json = {}
  readonly #samples: Samples

  constructor(samples: Samples) {
    this.#samples = samples
  }

  /** `cases`: only these examples. `without`: members that the body does not have. */
  content(
    schema: TSchema,
    cases?: readonly string[],
    type = 'application/json',
    without: readonly string[] = [],
  ): Json {
    const all = this.#samples[String(Reflect.get(schema, '$id'))] ?? {}
    const shown = Object.entries(all).filter(([name]) => cases?.includes(name) ?? true)
    return {
      [type]: {
        schema: this.refer(schema),
        ...(shown.length > 0 && {
          examples: Object.fromEntries(shown.map(([name, value]) => [name, { value: withoutMembers(value, without) }])),
        }),
      },
    }
  }

  /** Moves every part with an `$id` to `schemas` and refers to it. */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.refer(part))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as Json
    const resolved = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, this.refer(part)]))
    if (typeof $id !== 'string') return resolved
    this.schemas[$id] = resolved
    return { $ref: `#/components/schemas/${$id}` }
  }
}

export const withoutMembers = (value: unknown, names: readonly string[]): unknown =>
  names.length === 0 || typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
