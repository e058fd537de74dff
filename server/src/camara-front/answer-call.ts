// What does our own CAMARA API answer? The check of the catalogue, in CAMARA's words.

import type { CamaraEndpoint } from '@ringfence/contract'
import { type AnyCamaraApi, dateMistake, knownTo, outOfRange } from '@ringfence/contract'
import { Refusal, unsupportedBy } from '../core/errors.ts'
import type { Handler } from '../core/rows.ts'
import { CheckUnsupported, NothingAnswered, notImplemented } from '../telecom/connectors/connector.ts'
import { PartOfCall } from '../telecom/part-of-call.ts'
import { runCheck } from '../telecom/run-check.ts'
import { UpstreamError, UpstreamRefusal } from '../upstream/upstream-error.ts'
import type { TokenCall } from './call.ts'
import type { CamaraFrontNeeds } from './room.ts'
import { consentOf } from './stated-consent.ts'

interface Body {
  readonly phoneNumber?: string
  readonly device?: { readonly phoneNumber?: string }
}

/**
 * The handler of one call: the same check, event, reuse and tenant as behind /v1/telecom. The scope states the purpose. Refuses with
 * phoneNumberMissing, identifierUnsupported, outOfRange, fieldInvalid, nothingToCompare, consentRequired, consentNotAllowed,
 * checkNotApplicable, and as the check does.
 */
export function answerCall({
  check,
  version,
  api: { refusals },
  call: { served, Body: Fields = {} },
}: CamaraEndpoint): Handler<unknown, unknown, TokenCall, CamaraFrontNeeds> {
  return async (sent, received, needs) => {
    const body: Body = knownTo(version, sent as Record<string, never>)
    const phoneNumber = body.phoneNumber ?? body.device?.phoneNumber
    if (phoneNumber === undefined) throw new Refusal(body.device ? 'identifierUnsupported' : 'phoneNumberMissing')
    const mistake = outOfRange(Fields, body) ?? dateMistake(Fields, body, needs.clock.now())
    if (mistake !== undefined) throw new Refusal(refusals?.OUT_OF_RANGE ? 'outOfRange' : 'fieldInvalid', { mistake })
    const asked = served!.params(body)
    if (asked === undefined) throw new Refusal('nothingToCompare')
    const digits = phoneNumber.slice(1)
    const consent = consentOf(received.granted, received.caller.tenantId, needs)
    const call = new PartOfCall(received, { consent })
    const checked = runCheck(check, { phoneNumber: digits, params: asked as never }, call, needs)
    const response = await checked.then(
      ({ answer }) => served!.respond(answer, body),
      (error) => {
        if (!(error instanceof Refusal)) throw error
        if (served!.nothing && error.cause instanceof NothingAnswered) return served!.nothing(body)
        throw forClient(error, needs, refusals)
      },
    )
    if (response === undefined) throw new Refusal('checkNotApplicable')
    return response
  }
}

/** The same refusal as a CAMARA client needs to know it. */
export function forClient(
  refusal: Refusal,
  { clock }: CamaraFrontNeeds,
  refusals: AnyCamaraApi['refusals'] = {},
): Refusal {
  // The operator may have another call of the API.
  if (unsupportedBy(refusal) === 'check') {
    const isMissing = refusal.cause instanceof CheckUnsupported && refusal.cause.code === notImplemented
    return new Refusal('checkNotApplicable', { cause: refusal, ...(isMissing && { camara: [501, notImplemented] }) })
  }
  const camara = ofOperator(refusal.cause, refusals)
  if (camara) return new Refusal(refusal.failure, { ...refusal.details, camara, cause: refusal.cause })
  if (refusal.failure !== 'costCapReached') return refusal
  const untilTomorrowMs = dayMs - (clock.now() % dayMs)
  const retryAfterSeconds = Math.ceil(untilTomorrowMs / 1000)
  return new Refusal('costCapReached', { ...refusal.details, retryAfterSeconds, cause: refusal.cause })
}

/** Status and code of the operator, if they are those of this API. */
function ofOperator(cause: unknown, refusals: NonNullable<AnyCamaraApi['refusals']>) {
  const isOfUpstream = cause instanceof UpstreamRefusal || cause instanceof UpstreamError
  if (!isOfUpstream || cause.code === undefined || !Object.hasOwn(refusals, cause.code)) return undefined
  const { means, status } = refusals[cause.code]!
  // A vendor behind the same check may have the same code for something else.
  const isMeant = (means === 'failed') === cause instanceof UpstreamError
  return isMeant ? ([status, cause.code] as const) : undefined
}

const dayMs = 86_400_000
