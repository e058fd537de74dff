// Which request headers describe the device? Those that browsers and apps write themselves.

import type { IncomingHttpHeaders } from 'node:http'

/** A list of allowed headers, since a proxy may add others that contain IP addresses or credentials. */
const allowed = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'dnt',
  'origin',
  'priority',
  'purpose',
  'upgrade-insecure-requests',
  'user-agent',
  'x-requested-with',
])

const longest = 1024

/** By name in lower case; values have at most 1024 characters. All `sec-…` headers (client hints, fetch metadata) are allowed. */
export function deviceHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && (allowed.has(name) || name.startsWith('sec-')))
      found[name] = value.slice(0, longest)
  }
  return found
}
