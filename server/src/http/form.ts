// What does a form bring? Fields of text, and perhaps the credentials of its sender.

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

export const isForm = (contentType: string | undefined) => contentType !== undefined && formType.test(contentType)

/** Fields of application/x-www-form-urlencoded by name; one that is there twice is the list of its values. */
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
  /** What is left of the form. */
  fields: Record<string, unknown>
}

/**
 * `client_id` and `client_secret` (the names of RFC 6749, 2.3.1), apart from the other fields. Doubled ones are joined by
 * a comma, as Node joins headers: no credential of ours, and so refused as invalid.
 */
export function takeCredentials(form: Record<string, string | string[]>): FormCredentials {
  const { client_id, client_secret, ...fields } = form
  const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value)
  return { clientId: single(client_id), clientSecret: single(client_secret), fields }
}
