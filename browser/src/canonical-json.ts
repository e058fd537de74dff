// Which text does the proof sign? The JSON Canonicalization Scheme, as the server writes it. (RFC 8785)

/** The canonical text of a parsed JSON value: members sorted by name, without white space. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`
  const members = value as Record<string, unknown>
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`)}}`
}
