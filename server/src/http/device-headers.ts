// Which headers of a request say something of the device? Those that browsers and apps write of themselves, and no others.

import type { IncomingHttpHeaders } from 'node:http'

/** A list of what is taken, not of what is left out: a proxy may add headers that bear addresses or credentials. */
const told = new Set([
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

/** By name in lower case, cut to 1024 characters; `sec-…` (client hints, fetch metadata) are taken as a family. */
export function deviceHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && (told.has(name) || name.startsWith('sec-'))) found[name] = value.slice(0, longest)
  }
  return found
}
