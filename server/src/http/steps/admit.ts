// Who calls an endpoint? By headers and query; by the fields of a form once it was read.

import type { Caller } from '../../clients/credentials.ts'
import { Refusal } from '../../core/errors.ts'
import { basicCredentials } from '../credentials/basic-credentials.ts'
import type { CallerContext } from '../credentials/caller-context.ts'
import { sentCredentials } from '../credentials/sent-credentials.ts'
import type { Progress } from '../progress.ts'
import { takeAssertion, takeCredentials } from '../request/form.ts'
import { isOfPerson, sendsForm } from '../rows.ts'
import type { EndpointRow } from '../surface.ts'
import type { Serving } from './step.ts'

/** By headers and query; a client whose form may have its credentials stays unknown. */
export async function admit(progress: Progress, serving: Serving): Promise<void> {
  const row = progress.row as EndpointRow
  const caller = await progress.inTime(() => callerOf(row, progress, serving, sendsForm(row, progress.headers)))
  if (caller) knownAs(caller, progress, serving)
}

/** Undefined when the form may contain the credentials: then the caller is known after the body was read. */
export async function callerOf(
  row: EndpointRow,
  progress: Progress,
  { admission }: Pick<Serving, 'admission'>,
  isSentForm: boolean,
): Promise<CallerContext | undefined> {
  switch (row.caller) {
    case 'client': {
      if (isOfPerson(row, progress.headers)) return admission.actor(row.admission!, progress)
      const sent = sentCredentials(row, progress, isSentForm)
      if (!sent) return undefined
      progress.formClientId = sent.queryClientId
      return admission.client(sent, row, progress)
    }
    case 'admin':
      return admission.actor(row.admission!, progress)
    case 'token':
      return admission.token(row.tokenScopes!, progress)
    case 'app':
      return admission.app(progress)
    case 'session':
      return admission.session(progress)
    case 'anyone':
      return admission.anyone(progress)
  }
}

/** By the fields of a form, which then have no credentials any more. Refuses credentials that were sent twice. */
export async function admitBySentForm(progress: Progress, serving: Serving): Promise<void> {
  const row = progress.row as EndpointRow
  if (progress.caller && !basicCredentials(progress.headers.authorization)) return
  const { clientId, clientSecret, fields } = takeCredentials(progress.body)
  const assertion = row.acceptsAssertion ? takeAssertion(fields, clientSecret) : undefined
  if (!progress.caller) {
    progress.formClientId = clientId
    const sent = { clientId, clientSecret, assertion }
    knownAs(await progress.inTime(() => serving.admission.client(sent, row, progress)), progress, serving)
  } else if (clientSecret !== undefined || assertion !== undefined)
    throw new Refusal('fieldInvalid', { mistake: 'send client credentials only once' })
  progress.body = fields
}

/** Only clients have a secret, and only actors a session. */
function knownAs(context: CallerContext, progress: Progress, { traffic, connections }: Serving): void {
  const { request, trace } = progress
  progress.caller = context
  if ('actor' in context && context.actor) traffic.prove(request, context.actor.tenantId)
  if (!('caller' in context)) return
  const caller = context.caller as Caller
  traffic.prove(request, caller.tenantId, caller.clientId)
  connections.prove(request.socket)
  trace.trust()
}
