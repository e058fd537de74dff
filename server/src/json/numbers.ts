// How does a number stay as it was written? Others count further than the numbers of JavaScript, and some tell 1.0 from 1.

/** Parts of JSON that TypeScript does not know yet. (TC39, JSON.parse source text access) */
interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
const json = JSON as unknown as JsonWithSource

/**
 * As JSON.parse; a number that JSON.stringify would write in another way (of 20 digits, 1e400, 1.0, -0) becomes an object that it
 * writes as it was. Throws as JSON.parse does, and a RangeError where it is nested some thousand levels deep.
 */
export const parseKeepingNumbers = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value) ? json.rawJSON(source) : value,
  )

/** What to compute with, where such a number stands; any other value as it is. */
export const numberAsKept = (value: unknown): unknown => (json.isRawJSON(value) ? Number(value.rawJSON) : value)
