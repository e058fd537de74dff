// What does our own CAMARA API answer? The check of the catalogue, in CAMARA's words.

import type { CamaraEndpoint } from '@ringfence/contract'
import { type AnyCheck, checks, outOfRange } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { compileOnUse } from '../config/compile-on-use.ts'
import { Refusal } from '../errors.ts'
import type { Handler } from '../http/surface.ts'
import type { Platform } from '../platform.ts'
import { recordingCheck } from '../telecom/check-events.ts'
import { answerCheck } from '../telecom/run-check.ts'
import { identifySubject } from '../telecom/subject.ts'

interface Body {
  readonly phoneNumber?: string
  readonly device?: { readonly phoneNumber?: string }
}

/**
 * The handler of one call: the same check, event, reuse and tenant as behind /v1/telecom. Refuses with phoneNumberMissing, identifierUnsupported,
 * outOfRange, nothingToCompare, checkNotApplicable, and with the refusals of the check.
 */
export function answerCall({
  check,
  call: { served, Body: Fields = {} },
}: CamaraEndpoint): Handler<Body, unknown, Call> {
  const row: AnyCheck = checks[check]
  const params = compileOnUse(row.Params)
  return async (body, call, platform) => {
    const phoneNumber = body.phoneNumber ?? body.device?.phoneNumber
    if (phoneNumber === undefined) throw new Refusal(body.device ? 'identifierUnsupported' : 'phoneNumberMissing')
    const mistake = outOfRange(Fields, body, platform.clock.now())
    if (mistake !== undefined) throw new Refusal('outOfRange', { mistake })
    const asked = served!.params(body)
    if (!params.Check(asked)) throw new Refusal('nothingToCompare')
    const digits = phoneNumber.slice(1)
    const { answer } = await recordingCheck(check, digits, call, platform, async () => {
      const subject = await identifySubject(digits, call, platform)
      return answerCheck(check, asked as never, subject, call, platform)
    }).catch((error) => {
      throw error instanceof Refusal ? forClient(error, platform) : error
    })
    const response = served!.respond(answer, body)
    if (response === undefined) throw new Refusal('checkNotApplicable')
    return response
  }
}

/** The same refusal as a CAMARA client needs to know it. */
function forClient(refusal: Refusal, { clock }: Platform): Refusal {
  switch (refusal.failure) {
    // The operator may have another call of the API.
    case 'simSwapUnsupported':
    case 'callForwardingUnsupported':
    case 'checkUnsupported':
      return new Refusal('checkNotApplicable', { cause: refusal })
    case 'costCapReached': {
      const untilTomorrowMs = dayMs - (clock.now() % dayMs)
      const retryAfterSeconds = Math.ceil(untilTomorrowMs / 1000)
      return new Refusal('costCapReached', { ...refusal.details, retryAfterSeconds, cause: refusal.cause })
    }
    default:
      return refusal
  }
}

const dayMs = 86_400_000
