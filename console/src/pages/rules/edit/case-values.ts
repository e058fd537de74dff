// How is a value of a case typed? As it is; a text that reads like a number, true or false is in quotes.

export type CaseValue = string | number | boolean

/** What somebody means who types this. */
export function readValue(typed: string): CaseValue {
  try {
    const read: unknown = JSON.parse(typed)
    if (typeof read === 'string' || typeof read === 'number' || typeof read === 'boolean') return read
  } catch {
    // A text without quotes.
  }
  return typed
}

/** What somebody types for this value. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value)
