// How does a JSON number stay as it was written? JavaScript would shorten 20 digits, and turn 1.0 into 1.

/** Parts of JSON that TypeScript does not know yet. (TC39, JSON.parse source text access) */
interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
const json = JSON as unknown as JsonWithSource

/**
 * As JSON.parse, but a number that JSON.stringify would write differently (20 digits, 1e400, 1.0, -0) becomes an object that it writes
 * unchanged. Throws as JSON.parse does, and a RangeError when the text is nested some thousand levels deep.
 */
export const parseKeepingNumbers = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value) ? json.rawJSON(source) : value,
  )

/** The number in such an object; any other value is returned as it is. */
export const numberAsKept = (value: unknown): unknown => (json.isRawJSON(value) ? Number(value.rawJSON) : value)

/** A number such as 1e400, which JSON.parse reads as infinite, as an object that is written so that it is read again as infinite. */
export const infinityAsWritten = (value: unknown): unknown =>
  value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
    ? json.rawJSON(value > 0 ? '1e999' : '-1e999')
    : value
