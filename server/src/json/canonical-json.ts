// How is a value written so that two programs get the same text? As the JSON Canonicalization Scheme does. (RFC 8785)

/**
 * The canonical JSON text of a parsed JSON value: members sorted by the UTF-16 units of their names, no white space, numbers as
 * ECMAScript writes them. A member whose value is undefined is left out. The caller bounds the depth.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .filter((name) => Reflect.get(value, name) !== undefined)
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(Reflect.get(value, name))}`).join(',')}}`
}
