// What does a call send? Fields written as name=value, read as the contract says what each is.

import { readFileSync } from 'node:fs'
import type { AdminEndpoint } from '@ringfence/contract'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** @param body a file with a JSON object, or `-` for stdin. Fields come after it. @throws CommandFailed for a wrong command line */
export function requestFrom(
  { request }: Pick<AdminEndpoint, 'request'>,
  fields: readonly string[],
  body: string | undefined,
): Record<string, unknown> {
  const { properties = {}, required = [] } = request as Schema
  const found: Record<string, unknown> = body === undefined ? {} : objectIn(body)
  for (const field of fields) {
    const at = field.indexOf('=')
    if (at < 1) throw wrong(`${field} is no field: write name=value`)
    const name = field.slice(0, at)
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) throw wrong(`there is no field ${name}; fields: ${Object.keys(properties).join(', ') || 'none'}`)
    const value = fieldValue(name, field.slice(at + 1), schema)
    const before = found[name]
    found[name] = Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value
  }
  const missing = required.filter((name) => found[name] === undefined)
  if (missing.length > 0) throw wrong(`fields are missing: ${missing.join(', ')}`)
  return found
}

/** The server checks the rest of the schema. */
function fieldValue(name: string, text: string, schema: Schema): unknown {
  const { type } = schema
  if (type === 'string' || (type === undefined && !schema.anyOf)) return text
  if (type === 'array') {
    const values = text.startsWith('[') ? json(name, text) : [fieldValue(name, text, schema.items ?? {})]
    return values
  }
  if (type === 'integer' || type === 'number') {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) throw wrong(`${name} must be a number`)
    return value
  }
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw wrong(`${name} must be true or false`)
  }
  if (type === 'object') return json(name, text)
  // One of several: text, unless it is JSON.
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(`${name} must be JSON`)
  }
}

function objectIn(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new CommandFailed(`${file === '-' ? 'stdin' : file} must have a JSON object`)
}

const wrong = (message: string) => new CommandFailed(message, { exitCode: exitCodes.usage })
