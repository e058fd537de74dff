// Which redirect URIs must be registered at the authorization servers? For `ringfence doctor` and the console.

import { callbackUrl } from '../../upstream/oauth/callback-url.ts'
import { type Finding, ok } from './finding.ts'

/** `base`: the public URL with the path of the kind. */
export const callbackFindings = (base: string, names: readonly string[]): Finding[] =>
  names.map((name) => ok(`redirect URI ${name}`, `register ${callbackUrl(base, name)}`))
