// What does a form contain? Text fields, and possibly the credentials of its sender.

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

export const isForm = (contentType: string | undefined) => contentType !== undefined && formType.test(contentType)

/** Fields of application/x-www-form-urlencoded by name; a repeated field becomes a list. */
export function parseForm(bytes: Buffer): Record<string, string | string[]> {
  const form = new URLSearchParams(bytes.toString())
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, values.length === 1 ? values[0]! : values] as const
  })
  return Object.fromEntries(fields)
}

export interface FormCredentials {
  clientId: string | undefined
  clientSecret: string | undefined
  /** The other fields. */
  fields: Record<string, unknown>
}

/**
 * Separates `client_id` and `client_secret` (RFC 6749, 2.3.1) from the other fields. Repeated ones are joined by a comma, as Node
 * joins headers; the result is never a valid credential.
 */
export function takeCredentials(form: Record<string, string | string[]>): FormCredentials {
  const { client_id, client_secret, ...fields } = form
  const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value)
  return { clientId: single(client_id), clientSecret: single(client_secret), fields }
}
