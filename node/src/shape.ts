// Does a value match the contract? Checks types with a part of JSON Schema.

/** A value may have more fields than its shape: a newer service may send more. */
export interface Shape {
  readonly $ref?: string
  readonly anyOf?: readonly Shape[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  /** For a record: the shape of each value. */
  readonly values?: Shape
}

/**
 * The first difference between `value` and `shape`, in words; undefined when they match. The words contain fields and types
 * but never a value, so they can be logged. `shapes` has the targets of `$ref`.
 */
export function mismatch(
  value: unknown,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  place = 'the response',
): string | undefined {
  if (shape.$ref !== undefined) return mismatch(value, shapes[shape.$ref]!, shapes, place)
  if (shape.anyOf) {
    const misses = shape.anyOf.map((branch) => mismatch(value, branch, shapes, place))
    return misses.includes(undefined) ? undefined : [...new Set(misses)].join(', or ')
  }
  if (shape.type !== undefined && !isOfType(value, shape.type)) return `${place} is not of type ${shape.type}`
  if (shape.const !== undefined && value !== shape.const) return `${place} is not ${JSON.stringify(shape.const)}`
  if (shape.enum && !shape.enum.includes(value)) return `${place} is not one of ${JSON.stringify(shape.enum)}`
  for (const [index, item] of Array.isArray(value) && shape.items ? value.entries() : []) {
    const miss = mismatch(item, shape.items!, shapes, `${place}[${index}]`)
    if (miss) return miss
  }
  for (const [field, part] of shape.values ? Object.entries(value as object) : []) {
    const miss = mismatch(part, shape.values!, shapes, `${place}.${field}`)
    if (miss) return miss
  }
  for (const [field, part] of Object.entries(shape.properties ?? {})) {
    const given = (value as Record<string, unknown>)[field]
    if (given === undefined && !shape.required?.includes(field)) continue
    const miss = mismatch(given, part, shapes, `${place}.${field}`)
    if (miss) return miss
    // A field of any type has no shape that it could miss.
    if (given === undefined) return `${place}.${field} is missing`
  }
  return undefined
}

function isOfType(value: unknown, type: NonNullable<Shape['type']>): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
