// What is sent for a number and a question? Templates with placeholders, checked at start and escaped where they stand.

import type { PhoneNumber } from '../../../phone/phone-number.ts'

type Values = Readonly<Record<string, unknown>>

/** Names in braces. Other braces are text. */
const placeholder = /\{([\w.]+)\}/g

/** Placeholders of every template. */
export const numberValues = ({ digits, callingCode }: PhoneNumber) => ({
  digits,
  e164: `+${digits}`,
  national: digits.slice(callingCode.length),
})
export const numberNames = ['digits', 'e164', 'national']

/** The names that a template uses, also in the texts of a JSON body. */
export function namesIn(template: unknown): string[] {
  if (typeof template === 'string') return [...template.matchAll(placeholder)].map(([, name]) => name!)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(namesIn)
}

/** Throws an error that names the key and the placeholder that nothing fills. */
export function checkNames(key: string, template: unknown, known: readonly string[]): void {
  const unknown = namesIn(template).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Error(`${key} has {${unknown}}; use one of ${known.map((name) => `{${name}}`).join(', ')}`)
}

/** Values are escaped for a URL, so that none adds a segment or a parameter. */
export const filledPath = (template: string, values: Values): string =>
  template.replaceAll(placeholder, (_, name) => encodeURIComponent(String(values[name] ?? '')))

export const filledText = (template: string, values: Values): string =>
  template.replaceAll(placeholder, (_, name) => String(values[name] ?? ''))

/**
 * A text that is one placeholder becomes its value with its type. What has no value, such as a parameter that the caller left out, is
 * left out.
 */
export function filledBody(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const [, whole] = /^\{([\w.]+)\}$/.exec(template) ?? []
    return whole === undefined ? filledText(template, values) : values[whole]
  }
  if (Array.isArray(template)) return template.map((each) => filledBody(each, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, filledBody(each, values)]))
}
