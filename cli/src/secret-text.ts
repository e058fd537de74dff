// How are new credentials shown to a person?

import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'

export function secretText(title: string, { clientId, clientSecret }: IssuedCredentials): string {
  return `${title}

  clientId      ${clientId}
  clientSecret  ${clientSecret}

Keep the secret now: it is shown this once, and only its hash is stored.`
}
