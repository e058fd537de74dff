// Why does a value not fit its schema? In words: the key, what was expected, and the nearest allowed value.

import type { TSchema } from 'typebox'
import Value, { Pointer } from 'typebox/value'
import { nearestWord } from './nearest-word.ts'

export interface MistakeOptions {
  /** Path of the value. */
  at?: string
  /** Further keys that an unknown key may mean, which the schema does not check. */
  alsoKnown?: readonly string[]
  /** How a key that the schema does not name is written in the text. */
  shownKey?: (key: string) => string
}

/**
 * The first mistake in words, `connectors.acme.baseUrl must be a string`, or undefined when the value fits.
 * The value is never repeated, because it may be a secret.
 */
export function firstMistake(
  schema: TSchema,
  value: unknown,
  { at = '', alsoKnown = [], shownKey = withoutLongNumbers }: MistakeOptions = {},
): string | undefined {
  const inList = Array.isArray(value) ? mistakeInList(schema, value, { at, alsoKnown, shownKey }) : undefined
  if (inList !== undefined) return inList
  // Decides: the list of errors is cut after the first eight, so it may lack the one that is looked for below.
  if (Value.Check(schema, value)) return undefined
  const found = Value.Errors(schema, value)
  // For an unknown key, `boolean` repeats what additionalProperties says.
  const errors = found.filter(({ keyword }) => keyword !== 'boolean')
  // The deepest mistake says most: an error lists every branch of a union, and the union itself last.
  const deepest = errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0]
  if (!deepest) {
    const keys = found[0] ? shownKeysOf(found[0], shownKey) : []
    return `${[at, ...keys].filter(Boolean).join('.')} is not a known key`
  }
  // A single branch would mislead: a secret written as a text "must be object".
  const ofUnion = ({ keyword, instancePath }: Mistake) => keyword === 'anyOf' && instancePath === deepest.instancePath
  const first = errors.find(ofUnion) ?? deepest
  const { keyword, instancePath, schemaPath, params, message } = first
  const path = [at, ...shownKeysOf(first, shownKey)].filter(Boolean).join('.')
  const part = Pointer.Get(schema, schemaPath.slice(1)) as Part | undefined
  const listed = (keys: readonly string[]) => keys.map((key) => [path, key].filter(Boolean).join('.')).join(', ')
  const notKnown = (unknown: readonly string[]) => {
    const are = unknown.length > 1 ? 'are not known keys' : 'is not a known key'
    const elsewhere = unknown.length === 1 ? part?.['x-elsewhere']?.[unknown[0]!] : undefined
    if (elsewhere !== undefined) return `${listed(unknown.map(shownKey))} is not a known key; ${elsewhere}`
    const form = part?.keyForm
    if (form !== undefined) return `${listed(unknown.map(shownKey))} ${are}: write ${form}`
    return `${listed(unknown.map(shownKey))} ${are}${suggestionFor(unknown, [...alsoKnown, ...Object.keys(part?.properties ?? {})])}`
  }
  if (keyword === 'additionalProperties') return notKnown(params.additionalProperties)
  if (keyword === 'required') {
    const keys = params.requiredProperties
    // A mistyped key is both: the right one is missing, and the other one is not known.
    const beside = errors.find((each) => each.keyword === 'additionalProperties' && each.instancePath === instancePath)
    const also =
      beside?.keyword === 'additionalProperties' ? `, and ${notKnown(beside.params.additionalProperties)}` : ''
    return `${listed(keys)} ${keys.length > 1 ? 'are' : 'is'} missing${also}`
  }
  // Of a date, the expected form says it all.
  const description = part?.description && part.format !== 'date' ? `: ${part.description}` : ''
  const subject = path || 'the value'
  if (keyword === 'enum') {
    const nearest = nearestOf(params.allowedValues, Pointer.Get(value, instancePath))
    const hint = nearest === undefined ? description : `; did you mean ${nearest}?`
    return `${subject} must be one of ${params.allowedValues.join(', ')}${hint}`
  }
  return `${subject} ${expectedOf(keyword, part) ?? message}${description}`
}

/** The first item with a mistake: the validator would look for every mistake in all of them, which takes a second for a thousand. */
function mistakeInList(schema: TSchema, list: readonly unknown[], options: MistakeOptions): string | undefined {
  const { items, maxItems, description } = schema as Part
  const { at = '' } = options
  if (maxItems !== undefined && list.length > maxItems)
    return `${at || 'the value'} must not have more than ${maxItems} items${description ? `: ${description}` : ''}`
  if (items === undefined) return undefined
  const place = list.findIndex((item) => !Value.Check(items, item))
  return place < 0
    ? undefined
    : firstMistake(items, list[place], { ...options, at: [at, place].filter(isPart).join('.') })
}

const isPart = (part: string | number) => part !== ''

/** A longer list hides the answer; the reference has it. */
const shortList = 16

/** Which key an unknown one probably means, or else the keys that are allowed, if they are few. */
function suggestionFor(unknown: readonly string[], known: readonly string[]): string {
  const nearest = unknown.length === 1 ? nearestWord(unknown[0]!, known) : undefined
  if (nearest !== undefined) return `; did you mean ${nearest}?`
  return known.length > 0 && known.length <= shortList ? `; allowed: ${known.join(', ')}` : ''
}

/** What the value must be, where the message of the validator reads badly. */
function expectedOf(keyword: string, part: Part | undefined): string | undefined {
  const form = part?.form ?? part?.['x-form']
  if ((keyword === 'type' || keyword === 'pattern') && form) return `must be ${form.replaceAll('`', '')}`
  if (keyword === 'format' && part?.format === 'date') return 'must be a date that exists, as YYYY-MM-DD'
  if (keyword === 'minLength' && part?.minLength === 1) return 'must not be empty'
  if (keyword === 'minItems' && part?.minItems === 1) return 'must not be empty'
  if (keyword === 'type' && part?.type) return `must be ${types[part.type] ?? part.type}`
  return keyword === 'anyOf' && part?.anyOf ? `must be ${part.anyOf.map(formOf).join(' or ')}` : undefined
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** The name of an unknown key, without runs of six or more digits: somebody may have sent a phone number as a key. */
const withoutLongNumbers = (key: string) => key.replaceAll(/\d{6,}/g, '...')

type Mistake = ReturnType<typeof Value.Errors>[number]

const keysOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The keys on the way to a mistake. The schema itself names most of them; the others are keys of a map, or indexes. */
function shownKeysOf({ instancePath, schemaPath }: Mistake, shownKey: (key: string) => string): string[] {
  const inSchema = keysOf(schemaPath)
  const isNamed = (key: string) => inSchema.some((part, at) => part === 'properties' && inSchema[at + 1] === key)
  return keysOf(instancePath).map((key) => (isNamed(key) || /^\d{1,4}$/.test(key) ? key : shownKey(key)))
}

const depthOf = ({ instancePath }: Mistake) => instancePath.split('/').length

function nearestOf(allowed: readonly unknown[], given: unknown): string | undefined {
  const words = allowed.filter((value) => typeof value === 'string')
  return typeof given === 'string' ? nearestWord(given, words) : undefined
}

interface Part {
  type?: string
  /** Which texts are allowed, in words: see settings.ts. */
  form?: string
  /** What the keys of a map are, in words. */
  keyForm?: string
  /** The same in the contract, whose schemas are OpenAPI. */
  'x-form'?: string
  /** What to do instead, for keys that are found in another place. */
  'x-elsewhere'?: Record<string, string>
  format?: string
  description?: string
  anyOf?: Part[]
  properties?: Record<string, Part>
  required?: string[]
  minLength?: number
  minItems?: number
  maxItems?: number
  items?: TSchema
}

/** One branch of a union in words: `{ env: … }`. */
function formOf({ type = 'another value', properties, required = [] }: Part): string {
  if (!properties) return types[type] ?? type
  return `{ ${Object.keys(properties)
    .map((key) => `${key}${required.includes(key) ? '' : '?'}: …`)
    .join(', ')} }`
}
