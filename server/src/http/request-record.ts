// What is recorded of a request? One log line and one metric, however it ended.

import { isApiKey } from '../core/crypto/api-key.ts'
import type { Refusal } from '../core/errors.ts'
import { isAudited } from '../core/telemetry/audit.ts'
import { codeOfRefusal } from '../rules/reasons/refusal-reasons.ts'
import type { CallerContext } from './credentials/caller-context.ts'
import type { Progress } from './progress.ts'
import type { HttpNeeds } from './room.ts'
import type { Row } from './surface.ts'

/** The caller closed the connection before the response; nginx uses the same number. */
export const clientClosedRequest = 499

/** It closed the connection before its body had arrived: no fault of the service. */
export class ClientClosedRequest extends Error {
  override name = 'ClientClosedRequest'
}

/** Once for each refusal. `refusal` is undefined when the cause is unexpected. */
export function recordRefusal(
  { metrics, log }: HttpNeeds,
  progress: Progress,
  refusal: Refusal | undefined,
  cause: unknown,
): void {
  progress.failure = refusal?.failure
  progress.reasons = refusal?.details.reasons
  if (cause instanceof ClientClosedRequest) return
  metrics.count('refusals', refusal?.failure ?? 'internalError')
  if (refusal) return
  log.error({ err: cause, requestId: progress.requestId, path: progress.row?.path }, 'request failed unexpectedly')
}

/** An unknown path is recorded as `none`, since it may contain a phone number or a secret. */
export function recordRequest(needs: HttpNeeds, progress: Progress): void {
  const { requestId, row, caller, formClientId, arrival, failure, reasons = [], streamedAfterMs } = progress
  const { raw } = progress.reply
  const path = row?.path ?? 'none'
  const isDone = streamedAfterMs !== undefined || raw.writableFinished
  const status = isDone ? raw.statusCode : clientClosedRequest
  const seconds = (streamedAfterMs ?? performance.now() - arrival.arrivedAt) / 1000
  needs.metrics.observe('request', seconds, path, String(status))
  progress.trace.end(progress.method, path, status, requestId)
  const ms = Math.round(seconds * 1e6) / 1000
  const audited = isAudited(path, failure)
  const code = codeOfRefusal(failure)
  const decision = progress.provenance?.decision
  const ids = callerIds(caller, formClientId ?? progress.headers.clientid)
  // The same members for every request, so that V8 gives all lines one shape. What is undefined is not written.
  const line = {
    requestId,
    method: progress.method,
    path,
    status,
    ms,
    tenantId: ids.tenantId,
    appId: ids.appId,
    clientId: ids.clientId,
    actor: ids.actor,
    clientAddress: isOfBackends(row) ? progress.address?.address.text : undefined,
    decisionId: decision?.id,
    action: decision?.action,
    failure,
    hint: progress.hint,
    audit: audited || undefined,
    reasons: audited && code !== undefined ? [code, ...reasons] : undefined,
  }
  if (row?.kind === 'page') needs.log.debug(line, 'request')
  else needs.log.info(line, 'request')
  if (!audited) return
  if (status >= 400 && !isProved(caller)) needs.telemetry.auditLog?.writeRefusal(line, 'request')
  else needs.telemetry.auditLog?.write(line, 'request')
}

/** Addresses of people who visit a page are not in the log. */
const isOfBackends = (row: Row | undefined): boolean => row?.caller === 'client' || row?.caller === 'token'

/** Only clients have a secret. Anyone can have the session of an app. */
const isProved = (caller: CallerContext | undefined): boolean => caller !== undefined && 'caller' in caller

interface CallerIds {
  readonly tenantId?: string
  readonly appId?: string
  readonly clientId?: string | undefined
  readonly actor?: string
}

function callerIds(caller: CallerContext | undefined, received: unknown): CallerIds {
  if (caller && 'app' in caller) return { tenantId: caller.app.tenantId, appId: caller.app.id }
  if (caller && 'caller' in caller) {
    const { tenantId, clientId } = caller.caller
    return { tenantId, clientId }
  }
  if (caller && 'actor' in caller && caller.actor) return { tenantId: caller.actor.tenantId, actor: caller.actor.id }
  return { clientId: refusedClientId(received) }
}

/** The refused client id, for the log. Any other text is left out, since it may be the secret. */
function refusedClientId(clientId: unknown): string | undefined {
  return typeof clientId === 'string' && isApiKey(clientId, 'rfc') ? clientId : undefined
}
