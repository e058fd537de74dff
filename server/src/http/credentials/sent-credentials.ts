// Which credentials did a client send, and where? In headers, by HTTP Basic, or in the query.

import type { Progress } from '../progress.ts'
import { takeCredentials } from '../request/form.ts'
import { parseQuery } from '../rows.ts'
import type { EndpointRow } from '../surface.ts'
import { basicCredentials } from './basic-credentials.ts'

interface SentCredentials {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Set when they are of the query. */
  readonly queryClientId?: string | undefined
}

/** Undefined when they may be in the form, which is not read yet. Takes those of a query out of it; headers come first. */
export function sentCredentials(
  { method, acceptsForm, errorFormat }: EndpointRow,
  progress: Progress,
  sendsForm: boolean,
): SentCredentials | undefined {
  const { clientid, clientsecret, authorization } = progress.headers as Record<string, string | undefined>
  const basic = errorFormat === 'oauth' ? basicCredentials(authorization) : undefined
  if (basic) return basic
  const inHeaders = clientid !== undefined || clientsecret !== undefined
  if (method === 'GET' && acceptsForm) {
    const { clientId, clientSecret, fields } = takeCredentials(parseQuery(progress.url))
    progress.body = fields
    if (!inHeaders) return { clientId, clientSecret, queryClientId: clientId }
  } else if (sendsForm && !inHeaders) return undefined
  return { clientId: clientid, clientSecret: clientsecret }
}
