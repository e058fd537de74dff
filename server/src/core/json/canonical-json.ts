// How is a value written so that two programs get the same text? As the JSON Canonicalization Scheme does. (RFC 8785)

/**
 * The canonical JSON text of a parsed JSON value: members sorted by the UTF-16 units of their names, no white space, numbers as
 * ECMAScript writes them. A member whose value is undefined is left out. The caller bounds the depth.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    if (!value.some(isContainer)) return JSON.stringify(value)
    for (const part of value) text += `${text === '' ? '' : ','}${canonicalJson(part)}`
    return `[${text}]`
  }
  for (const name of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, name)
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}

const isContainer = (value: unknown) => typeof value === 'object' && value !== null
