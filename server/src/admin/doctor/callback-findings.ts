// Which redirect URIs must be registered at the authorization servers? For `ringfence doctor` and the console.

import { type Connection, callbackUrl } from '../../upstream/oauth/callback-url.ts'
import { type Finding, ok, warning } from './finding.ts'

/** `base`: the public URL with the path of the kind. */
export const callbackFindings = (base: string, what: string, connections: readonly Connection[]): Finding[] =>
  connections.map((connection) => {
    const subject = `redirect URI ${connection.name}`
    const own = callbackUrl(base, { name: connection.name })
    return connection.callback === 'shared' ? sharedFinding(subject, own, what) : ok(subject, `register ${own}`)
  })

/** A second connection could not be added, and its server could be mixed up with this one. */
export const sharedFinding = (subject: string, own: string, what: string): Finding =>
  warning(
    subject,
    `${what} still uses the shared callback URL of earlier versions, so there can be no other one`,
    `register ${own} at its server, then remove callback: shared`,
  )
