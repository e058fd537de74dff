// Did a page of this service send the request? Another site must not act in the session of a person. (OWASP, CSRF Prevention)

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../../core/errors.ts'

/** Refuses with `requestForged`. Browsers send Sec-Fetch-Site, older ones Origin with each POST; pages cannot change either. */
export function refuseOtherSites({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): void {
  if (site === 'same-origin') return
  if (site !== undefined) throw new Refusal('requestForged', { mistake: 'Sec-Fetch-Site is not same-origin' })
  if (origin !== undefined && (host === undefined || hostOf(origin) !== host))
    throw new Refusal('requestForged', { mistake: 'Origin is another site' })
}

/** Refuses with `requestForged`. */
export function refuseWithoutToken({ 'x-ringfence-csrf': sent }: IncomingHttpHeaders, token: string): void {
  const [received, expected] = [Buffer.from(String(sent ?? '')), Buffer.from(token)]
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new Refusal('requestForged', { mistake: 'x-ringfence-csrf is missing or wrong' })
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
