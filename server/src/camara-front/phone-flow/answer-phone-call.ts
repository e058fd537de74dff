// Which number has the phone of this access token? The operator is asked now, once, with the code that the phone returned with.

import { hash } from 'node:crypto'
import type { CamaraVerifyRequest, numberVerificationApi } from '@ringfence/contract'
import type { Static } from 'typebox'
import { Refusal } from '../../core/errors.ts'
import { finishVerification, numberOfPhone } from '../../telecom/number-verification/verification.ts'
import { PartOfCall } from '../../telecom/part-of-call.ts'
import { forClient } from '../answer-call.ts'
import type { TokenCall } from '../call.ts'
import type { CamaraFrontNeeds } from '../room.ts'
import { consentOf } from '../stated-consent.ts'
import { type Step, takeStep } from './steps.ts'

type Api = typeof numberVerificationApi

/**
 * POST /number-verification/v2/verify. The operator says whether the phone has the number of login_hint. Of another number that is an
 * answer only if the phone has that of login_hint. Refuses with fieldInvalid, phoneTokenNeeded, accessTokenUsed, otherNumberAsked,
 * and as `finishVerification` does.
 */
export async function verifyPhone(
  { phoneNumber, hashedPhoneNumber }: CamaraVerifyRequest,
  received: TokenCall,
  needs: CamaraFrontNeeds,
): Promise<Static<Api['verify']['Response']>> {
  if ((phoneNumber === undefined) === (hashedPhoneNumber === undefined))
    throw new Refusal('fieldInvalid', { mistake: 'send either phoneNumber or hashedPhoneNumber' })
  const call = consenting(received, needs)
  const { begun, returned } = await phoneOf(received, 'match', needs)
  const number = `+${begun.digits}`
  const isHinted =
    hashedPhoneNumber === undefined
      ? phoneNumber === number
      : hashedPhoneNumber.toLowerCase() === hash('sha256', number, 'hex')
  const { answer: isMatch } = await toClient(finishVerification(begun, returned, call, needs), needs)
  if (!isHinted && !isMatch) throw new Refusal('otherNumberAsked')
  return { devicePhoneNumberVerified: isHinted && isMatch }
}

/** GET /number-verification/v2/device-phone-number. Refuses with phoneTokenNeeded, accessTokenUsed, and as `numberOfPhone` does. */
export async function sharePhoneNumber(
  _: object,
  received: TokenCall,
  needs: CamaraFrontNeeds,
): Promise<Static<Api['share']['Response']>> {
  const call = consenting(received, needs)
  const { begun, returned } = await phoneOf(received, 'number', needs)
  const { answer: digits } = await toClient(numberOfPhone(begun, returned, call, needs), needs)
  return { devicePhoneNumber: `+${digits}` }
}

/** The scope states the purpose. Refuses with consentRequired and consentNotAllowed. */
function consenting(received: TokenCall, needs: CamaraFrontNeeds) {
  const { tenantId } = received.caller
  const consent = consentOf(received.granted, tenantId, needs)
  needs.telecom.purposes.admit(tenantId, consent)
  return new PartOfCall(received, { consent })
}

async function phoneOf(
  { caller: { clientId, tenantId }, phone }: TokenCall,
  asks: Step<'token'>['content']['asks'],
  needs: CamaraFrontNeeds,
): Promise<Step<'token'>['content']> {
  if (phone === undefined) throw new Refusal('phoneTokenNeeded')
  const step = await takeStep('token', phone, needs, clientId)
  if (!step || step.tenantId !== tenantId || step.content.asks !== asks) throw new Refusal('accessTokenUsed')
  return step.content
}

/** The refusals of the check, as a CAMARA client needs to know them. */
const toClient = <Answer>(asked: Promise<Answer>, needs: CamaraFrontNeeds): Promise<Answer> =>
  asked.catch((error) => {
    throw error instanceof Refusal ? forClient(error, needs) : error
  })
