// Is this value what the contract promises? The part of JSON Schema that says which types a value has.

/** Fields that a shape does not name are let through: a newer service may send more. */
export interface Shape {
  readonly $ref?: string
  readonly anyOf?: readonly Shape[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  /** Of a record: what each of its values is. */
  readonly values?: Shape
}

/**
 * The first place where `value` is not of `shape`, in words, or undefined when it fits. The words name fields and types
 * and never a value, so that they can be logged. `shapes` holds what `$ref` points to.
 */
export function mismatch(
  value: unknown,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  place = 'the answer',
): string | undefined {
  if (shape.$ref !== undefined) return mismatch(value, shapes[shape.$ref]!, shapes, place)
  if (shape.anyOf) {
    const misses = shape.anyOf.map((branch) => mismatch(value, branch, shapes, place))
    return misses.includes(undefined) ? undefined : [...new Set(misses)].join(', or ')
  }
  if (shape.type !== undefined && !isOfType(value, shape.type)) return `${place} is not of type ${shape.type}`
  if (shape.const !== undefined && value !== shape.const) return `${place} is not ${JSON.stringify(shape.const)}`
  if (shape.enum && !shape.enum.includes(value)) return `${place} is none of ${JSON.stringify(shape.enum)}`
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
  }
  return undefined
}

function isOfType(value: unknown, type: NonNullable<Shape['type']>): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
