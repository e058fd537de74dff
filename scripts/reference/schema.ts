// Which parts of a JSON schema does the reference of the configuration show?

export interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  description?: string
  default?: unknown
  pattern?: string
  /** The pattern in words. */
  form?: string
  minimum?: number
  maximum?: number
  minLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
