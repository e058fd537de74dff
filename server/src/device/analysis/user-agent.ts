// Which browser, system and kind of device does a user agent name? Parsed once, because an analysis asks three times.

import Bowser from 'bowser'

export type ParsedUserAgent = Readonly<Bowser.Parser.ParsedResult>

/** Most visits have one of a few hundred user agents: browsers have frozen theirs. */
const mostParsed = 512
/** No browser sends a longer one with its client hints. Longer ones are not kept, so the memory has a bound. */
const longestKept = 1024
const parsed = new Map<string, ParsedUserAgent>()

/** What Bowser reads in a user agent, which must not be empty. Brands win over it; of client hints, it reads no others. */
export function parseUserAgent(userAgent: string, brands: Bowser.ClientHints['brands'] = []): ParsedUserAgent {
  // A user agent that begins like brands must not find the result of these, so they are always there.
  const key = `${JSON.stringify(brands)} ${userAgent}`
  const known = parsed.get(key)
  if (known) return known
  const result = Bowser.parse(userAgent, { brands })
  if (key.length > longestKept) return result
  parsed.set(key, result)
  if (parsed.size > mostParsed) parsed.delete(parsed.keys().next().value!)
  return result
}
