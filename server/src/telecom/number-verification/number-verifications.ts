// /v1/telecom/number-verifications: a backend begins a verification, its app opens the URL, and the backend completes it once.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type {
  BeginNumberVerificationRequest,
  BegunNumberVerification,
  CompleteNumberVerificationRequest,
  NumberVerificationResult,
} from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import { isSafeTarget } from '../../upstream/oauth/safe-target.ts'
import { PartOfCall } from '../part-of-call.ts'
import type { TelecomNeeds } from '../room.ts'
import {
  claimVerification,
  findVerification,
  insertVerification,
  type NumberVerificationRow,
} from '../store/number-verifications.ts'
import { identifySubject } from '../subject.ts'
import { inBodyError } from '../telecom-checks.ts'
import { countBegun } from './begun-limit.ts'
import { type BegunVerification, beginVerification, finishVerification } from './verification.ts'

/** Time for the phone to open the URL, and for the code to reach the backend. */
export const verificationLifetimeMs = 300_000

const unsafe = 'redirectUri runs its own content or has a user name; send the https URL or the app link of your app'

/**
 * Refuses with fieldInvalid, consentRequired, consentNotAllowed, invalidPhoneNumber, operatorUnknown, numberVerificationUnsupported and
 * numberVerificationsLimited.
 */
export async function beginNumberVerification(
  { phoneNumber, redirectUri, consent }: BeginNumberVerificationRequest,
  received: Call,
  needs: TelecomNeeds,
): Promise<BegunNumberVerification> {
  if (redirectUri !== undefined && !isSafeTarget(redirectUri.replaceAll('{connector}', 'name')))
    throw new Refusal('fieldInvalid', { mistake: unsafe })
  const call = new PartOfCall(received, { consent })
  const { clock, database, tenantKeyring } = needs
  const { tenantId, clientId } = received.caller
  const subject = await identifySubject(phoneNumber, call, needs)
  const [verificationId, state] = [newSecret(), newSecret()]
  const { url, ...begun } = beginVerification(subject, { state, redirectUri }, call, needs)
  await countBegun(tenantId, needs)
  const keys = await tenantKeyring.keysOf(tenantId)
  const expiresAt = clock.now() + verificationLifetimeMs
  const idHash = idHashOf(verificationId)
  await insertVerification(database, {
    idHash,
    tenantId,
    clientId,
    numberHash: keys.hash(begun.digits),
    stateHash: sha256(state),
    expiresAt,
    usedAt: null,
    sealed: keys.seal(JSON.stringify(begun), contextOfVerification(idHash)),
  })
  const { phoneDetail } = begun
  return { success: true, verificationId, url, expiresAt: new Date(expiresAt).toISOString(), phoneDetail }
}

/**
 * Used up by the first call with the right state and redirect URI, whatever becomes of it: a code is accepted once, and so is its result. Refuses with fieldInvalid,
 * numberVerificationUnknown, numberVerificationStateWrong, numberVerificationExpired, numberVerificationOver, and as
 * `finishVerification` does.
 */
export async function completeNumberVerification(
  { verificationId, state, ...returned }: CompleteNumberVerificationRequest,
  call: Call,
  needs: TelecomNeeds,
): Promise<NumberVerificationResult> {
  const { clock, database, tenantKeyring } = needs
  const { tenantId, clientId } = call.caller
  const row = await findVerification(database, idHashOf(verificationId))
  if (!row || row.tenantId !== tenantId || row.clientId !== clientId) throw new Refusal('numberVerificationUnknown')
  // Before it is used up: the state of another verification must not end this one.
  if (!timingSafeEqual(sha256(state), row.stateHash)) throw new Refusal('numberVerificationStateWrong')
  const now = clock.now()
  refuseUnlessOpen(row, now)
  const keys = await tenantKeyring.keysOf(tenantId)
  const begun = JSON.parse(keys.open(row.sealed, contextOfVerification(row.idHash))) as BegunVerification
  refuseOtherReturn(returned, begun, needs)
  if (!(await claimVerification(database, row.idHash, now))) throw new Refusal('numberVerificationOver')
  try {
    const { answer, ...finished } = await finishVerification(begun, returned, call, needs)
    return { success: true, verified: answer, ...finished }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { cost, phoneDetail } = error.details
    return { success: false, error: inBodyError(error), ...(phoneDetail && { phoneDetail }), ...(cost && { cost }) }
  }
}

/** The state leads to the verification of one operator, but only the URL or `iss` says which operator redirected the phone (RFC 9700, 4.4). */
function refuseOtherReturn(
  { redirectUri, iss }: Pick<CompleteNumberVerificationRequest, 'redirectUri' | 'iss'>,
  begun: BegunVerification,
  { telecom }: Pick<TelecomNeeds, 'telecom'>,
): void {
  const place = (uri: string) => uri.replace(/[?#].*$/s, '')
  if (redirectUri !== undefined && place(redirectUri) !== place(begun.redirectUri))
    throw new Refusal('fieldInvalid', { mistake: elsewhere })
  if (redirectUri === undefined && iss === undefined && telecom.verifying.length > 1)
    throw new Refusal('fieldInvalid', { mistake: nowhere })
}

const elsewhere =
  'redirectUri is not the redirect URI of this verification, so the code may be of another operator: begin another verification'
const nowhere =
  'redirectUri is missing: several connectors verify phones and the operator sent no iss, so send the URL that it redirected the phone to, without its query'

function refuseUnlessOpen({ usedAt, expiresAt }: NumberVerificationRow, now: number): void {
  if (usedAt !== null) throw new Refusal('numberVerificationOver')
  if (expiresAt <= now) throw new Refusal('numberVerificationExpired')
}

const newSecret = () => randomBytes(24).toString('base64url')
const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()
const idHashOf = (verificationId: string) => sha256(verificationId).subarray(0, 16)

/** What the sealed content is bound to. */
export const contextOfVerification = (idHash: Uint8Array) =>
  `number_verification ${Buffer.from(idHash).toString('base64')}`
