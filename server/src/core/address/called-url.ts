// May this server call that URL? Only over TLS, unless it is a server on this machine.

import { fileURLToPath } from 'node:url'
import Type from 'typebox'

/** Whether a host name is this machine, whatever DNS says. IPv6 with or without brackets. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/.test(host)

/**
 * Parses a URL that this server calls. Whoever sits on the wire could otherwise read what is sent there, and choose what comes back.
 * @throws Error whose message begins with the key when the URL cannot be used
 */
export function readUrl(key: string, text: string, sandbox = false): URL {
  const url = URL.parse(text)
  if (!url) throw new Error(`${key} is not a URL`)
  if (url.username || url.password)
    throw new Error(`${key} contains a user name or a password: move them to the keys for secrets`)
  const mayBeInClear = url.protocol === 'http:' && (sandbox || isLoopbackHost(url.hostname))
  if (url.protocol !== 'https:' && !mayBeInClear)
    throw new Error(`${key} must begin with https://; http:// is for a server on this machine only`)
  return url
}

/** Where data is published that `ringfence data update` downloads. `readPublishedUrl` says which URLs are allowed. */
export const PublishedUrl = (description: string) =>
  Type.String({
    pattern: '^(https?|file)://',
    form: 'a URL that begins with `https://`, or `file:///` for a file of your own',
    description,
  })

/**
 * Parses the URL of published data: a file too.
 * @throws Error whose message begins with the key when the URL cannot be used
 */
export function readPublishedUrl(key: string, text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'file:') {
    try {
      fileURLToPath(url)
      return url
    } catch (cause) {
      throw new Error(`${key} must name a file of this machine, such as file:///srv/list.txt`, { cause })
    }
  }
  if (url && (url.username || url.password)) throw new Error(`${key} must have no user name and no password`)
  return readUrl(key, text)
}
