// What does a response of a mapped API mean? Fields by JSONPath, tables of values and of errors; nothing is guessed.

import { isDeepStrictEqual } from 'node:util'
import { NotStated } from '@ringfence/contract'
import { jsonpath } from 'json-p3'
import type { TSchema } from 'typebox'
import { nearestWord } from '../../../core/config/nearest-word.ts'
import type { UpstreamResponse } from '../../../upstream/guard.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { CheckUnsupported, ParametersUnsupported, WindowUnsupported } from '../connector.ts'
import type { Failure, Mapping } from './http-settings.ts'

type Json = Parameters<ReturnType<typeof jsonpath.compile>['query']>[0]

/** A regular expression over texts of an upstream can run for seconds, and every other request would wait. */
const environment = new jsonpath.JSONPathEnvironment()
const regularExpressions = ['match', 'search']
for (const name of regularExpressions) environment.functionRegister.delete(name)

export interface Reading {
  /** What the response states, by field. Throws what it stands for otherwise. */
  fields(response: UpstreamResponse, described: string): Record<string, unknown>
  /** The error that a response stands for. */
  failureOf(response: UpstreamResponse, described: string): Error | undefined
}

/** Throws an error that names the key that cannot work. `known`: the schema of each field that can be mapped. */
export function readingOf(
  at: string,
  { answer, errors = [] }: Mapping,
  known: Readonly<Record<string, TSchema>>,
): Reading {
  const fields = Object.entries(answer).map(([name, field]) => {
    const key = `${at}.answer.${name}`
    const schema = known[name]
    if (schema === undefined) {
      const names = Object.keys(known)
      const nearest = nearestWord(name, names)
      throw new Error(`${key} is not a field; use ${names.join(', ')}${nearest ? `. Did you mean ${nearest}?` : ''}`)
    }
    const { at: path, values = undefined } = typeof field === 'string' ? { at: field } : field
    return { name, schema, find: pathOf(key, path), values }
  })
  const failures = errors.map((failure, index) => ({
    ...failure,
    find: failure.at === undefined ? undefined : pathOf(`${at}.errors.${index}.at`, failure.at),
  }))

  const failureOf: Reading['failureOf'] = ({ status, body }, described) => {
    const found = failures.find((failure) => {
      if (failure.status !== undefined && failure.status !== status) return false
      if (!failure.find) return failure.status !== undefined
      const { equals } = failure
      return failure.find(body).some((value) => {
        if (value === undefined || value === null) return false
        return equals === undefined || (isScalar(value) && equals.includes(String(value)))
      })
    })
    return found && errorOf(found, described)
  }
  return {
    failureOf,
    fields(response, described) {
      const failure = failureOf(response, described)
      if (failure) throw failure
      const stated = fields.flatMap(({ name, schema, find, values }) => {
        const [value, ...others] = find(response.body).map((found) => (values ? valueIn(values, found, name) : found))
        if (others.some((other) => !isDeepStrictEqual(other, value))) {
          throw new NotStated(`several places of ${name} with different values`)
        }
        return value === undefined || value === null || value === '' ? [] : [[name, typed(value, schema)] as const]
      })
      return Object.fromEntries(stated)
    },
  }
}

function errorOf({ means }: Pick<Failure, 'means'>, described: string): Error {
  if (means === 'unsupported') return new CheckUnsupported(described)
  if (means === 'parameters') return new ParametersUnsupported(described, 'send other values')
  return means === 'window' ? new WindowUnsupported(described) : new UpstreamError('rejected', described)
}

function pathOf(key: string, path: string): (body: unknown) => readonly unknown[] {
  const [, filters = ''] = /\?(.*)/s.exec(path.replaceAll(/'[^']*'|"[^"]*"/g, '')) ?? []
  if (filters.includes('..'))
    throw new Error(`${key} has .. in or after a filter, which a response can make slow: name the members on the way`)
  try {
    const query = environment.compile(path)
    return (body) => query.query(body as Json).values()
  } catch (error) {
    const { message } = error as Error
    const name = regularExpressions.find((each) => message.startsWith(`no such function '${each}'`))
    if (name === undefined) throw new Error(`${key} is not JSONPath: ${message}`)
    throw new Error(`${key} uses ${name}(), which a response can make slow: compare with == or list texts in values`)
  }
}

function valueIn(values: Readonly<Record<string, unknown>>, found: unknown, name: string): unknown {
  if (found === undefined || found === null) return undefined
  if (!isScalar(found)) throw new NotStated(`a value of ${name} that is neither a text nor a number nor a flag`)
  const text = String(found)
  if (!Object.hasOwn(values, text)) throw new NotStated(`a value of ${name} that the mapping does not list`)
  return values[text]
}

/** The text of a list of one value is that of the value. */
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** "true" is a flag and "12" a number where the field is one. */
function typed(value: unknown, { type }: { type?: string }): unknown {
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  const isNumber = (type === 'integer' || type === 'number') && typeof value === 'string'
  // Number() reads a blank as 0.
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}
