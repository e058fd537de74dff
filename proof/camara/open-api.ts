// Does a body comply with a schema of an OpenAPI document? Its references are followed, also into files beside it.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { parse } from 'yaml'

export interface OpenApi {
  /** `info.version` */
  readonly version: string
  /** What is wrong with a body; undefined: nothing. Throws when the document has no schema at this pointer. */
  mistakeOf(pointer: string, body: unknown): string | undefined
}

type Json = { [key: string]: unknown }

export function readOpenApi(file: string): OpenApi {
  const documents = new Map<string, Json>()
  const read = (path: string): Json => {
    if (!documents.has(path)) documents.set(path, existsSync(path) ? (parse(readFileSync(path, 'utf8')) as Json) : {})
    return documents.get(path)!
  }

  const at = (path: string, pointer: string): unknown =>
    pointer
      .split('/')
      .filter((part) => part !== '')
      .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], read(path))

  /** The JSON Schema of a node, without references; `nullable` is OpenAPI 3.0's. */
  function resolved(node: unknown, path: string): unknown {
    if (Array.isArray(node)) return node.map((each) => resolved(each, path))
    if (typeof node !== 'object' || node === null) return node
    const { $ref, nullable, discriminator: _, example: __, ...rest } = node as Json
    if (typeof $ref === 'string') {
      const [other, pointer = ''] = $ref.split('#')
      const target = other ? join(dirname(path), other) : path
      return resolved(at(target, pointer) ?? {}, target)
    }
    const schema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolved(value, path)]))
    return nullable === true && schema.type !== undefined ? { anyOf: [schema, { type: 'null' }] } : schema
  }

  return {
    version: String((read(file).info as Json).version),
    mistakeOf(pointer, body) {
      const node = at(file, pointer.replace(/^#/, ''))
      if (node === undefined) throw new Error(`the OpenAPI document has no ${pointer}`)
      const validator = Compile(resolved(node, file) as TSchema)
      if (validator.Check(body)) return undefined
      return validator
        .Errors(body)
        .map(({ instancePath, message }) => `${instancePath} ${message}`)
        .join('; ')
    },
  }
}
