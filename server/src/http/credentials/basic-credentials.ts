// Which client does an Authorization header name? HTTP Basic as RFC 6749, 2.3.1 says.

/**
 * Id and secret, each decoded from application/x-www-form-urlencoded. Undefined for another scheme; `{}` for a malformed header, which
 * is never a valid credential.
 */
export function basicCredentials(header: string | undefined): { clientId?: string; clientSecret?: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]{0,1024})$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return /^basic\b/i.test(header ?? '') ? {} : undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return {}
  try {
    return { clientId: formDecoded(text.slice(0, colon)), clientSecret: formDecoded(text.slice(colon + 1)) }
  } catch {
    return {}
  }
}

/** @throws URIError for a broken escape */
const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
