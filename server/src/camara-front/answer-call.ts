// What does our own CAMARA API answer? The check of the catalogue, in CAMARA's words.

import type { CamaraEndpoint } from '@ringfence/contract'
import { type AnyCheck, checks, outOfRange } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { compileOnUse } from '../config/compile-on-use.ts'
import { Refusal } from '../errors.ts'
import type { Handler } from '../http/surface.ts'
import { recordingCheck } from '../telecom/check-events.ts'
import { answerCheck } from '../telecom/run-check.ts'
import { identifySubject } from '../telecom/subject.ts'

interface Body {
  readonly phoneNumber?: string
  readonly device?: { readonly phoneNumber?: string }
}

/**
 * The handler of one call: the same check, event, reuse and tenant as behind /v1/telecom. Refuses with phoneNumberMissing, outOfRange,
 * fieldInvalid, checkNotApplicable, and with the refusals of the check.
 */
export function answerCall({
  check,
  call: { served, Body: Fields = {} },
}: CamaraEndpoint): Handler<Body, unknown, Call> {
  const row: AnyCheck = checks[check]
  const params = compileOnUse(row.Params)
  return async (body, call, platform) => {
    const phoneNumber = body.phoneNumber ?? body.device?.phoneNumber
    if (phoneNumber === undefined) throw new Refusal('phoneNumberMissing')
    const mistake = outOfRange(Fields, body)
    if (mistake !== undefined) throw new Refusal('outOfRange', { mistake })
    const asked = served!.params(body)
    if (!params.Check(asked)) throw new Refusal('fieldInvalid', { mistake: 'the body must say what to compare' })
    const digits = phoneNumber.slice(1)
    const { answer } = await recordingCheck(check, digits, call, platform, async () => {
      const subject = await identifySubject(digits, call, platform)
      return answerCheck(check, asked as never, subject, call, platform)
    }).catch((error) => {
      throw isUnsupported(error) ? new Refusal('checkNotApplicable', { cause: error }) : error
    })
    const response = served!.respond(answer, body)
    if (response === undefined) throw new Refusal('checkNotApplicable')
    return response
  }
}

/** The check may be known by another call of the API, which the operator does have. */
const isUnsupported = (error: unknown) =>
  error instanceof Refusal &&
  ['simSwapUnsupported', 'callForwardingUnsupported', 'checkUnsupported'].includes(error.failure)
