// GET /camara/oauth2/authorize: which operator identifies this phone? It is redirected there, and nobody is asked (prompt=none).

import { randomUUID } from 'node:crypto'
import { describeRefusal, type FailureName, Refusal } from '../../errors.ts'
import type { Page } from '../../http/pages/page.ts'
import type { Platform } from '../../platform.ts'
import {
  verificationCallbackPath,
  verificationLifetimeMs,
} from '../../telecom/number-verification/number-verifications.ts'
import { beginVerification } from '../../telecom/number-verification/verification.ts'
import { identifySubject } from '../../telecom/subject.ts'
import { readScope } from '../scope.ts'
import { consentOf } from '../stated-consent.ts'
import {
  AuthorizationRefused,
  type ReturnAddress,
  readAuthorizationRequest,
  returnAddressOf,
} from './authorization-request.ts'
import { backToClient, redirect } from './back-to-client.ts'
import { newSecret, openStep } from './steps.ts'

/** Of our state at operators; it tells the callback that this is no sign-in. */
export const statePrefix = 'camara-'

/** The phone waits, with an empty screen. */
const lookUpMs = 5000

/** Whatever is wrong is told to the client by redirect; without a client and its redirect_uri, to whoever opened the page. */
export async function authorizePage(platform: Platform, query: URLSearchParams): Promise<Page> {
  let address: ReturnAddress
  try {
    address = await returnAddressOf(query, platform)
  } catch (error) {
    if (error instanceof Refusal) return notRedirected(error)
    throw error
  }
  try {
    return await sendToOperator(query, address, platform)
  } catch (error) {
    const { error: code, message } = asRefused(error)
    return backToClient(address, { error: code, error_description: message }, platform)
  }
}

const notRedirected = (refusal: Refusal): Page => ({
  status: 400,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ error: 'invalid_request', error_description: describeRefusal(refusal) }),
  headers: { 'cache-control': 'no-store' },
})

async function sendToOperator(query: URLSearchParams, address: ReturnAddress, platform: Platform): Promise<Page> {
  const { phoneNumber, ...request } = readAuthorizationRequest(query, address)
  const { tenantId, clientId } = address.caller
  const consent = consentOf(readScope(request.scope), tenantId, platform)
  const requestId = randomUUID()
  const call = {
    ...{ requestId, correlator: requestId, signal: AbortSignal.timeout(lookUpMs), consent },
    ...{ caller: { tenantId, clientId }, provenance: { sandbox: false } },
  }
  const subject = await identifySubject(phoneNumber, call, platform)
  const state = statePrefix + newSecret()
  const redirectUri = platform.authAddress() + verificationCallbackPath
  const { url, ...begun } = beginVerification(subject, { state, redirectUri, asks: request.asks }, call, platform)
  const content = { begun, request }
  await openStep('authorization', state, { tenantId, clientId, content, lifetimeMs: verificationLifetimeMs }, platform)
  return redirect(url, call.provenance.sandbox ? { 'x-ringfence-sandbox': 'true' } : {})
}

function asRefused(error: unknown): AuthorizationRefused {
  if (error instanceof AuthorizationRefused) return error
  if (!(error instanceof Refusal)) throw error
  const [code, text] = told[error.failure] ?? []
  if (code === undefined) throw error
  return new AuthorizationRefused(code, error.details.mistake ?? text ?? '')
}

const told: Partial<Record<FailureName, readonly [code: string, text: string]>> = {
  invalidPhoneNumber: ['invalid_request', 'login_hint is no phone number'],
  consentRequired: ['invalid_scope', 'scope must state a purpose'],
  consentNotAllowed: ['invalid_scope', 'scope states a purpose that the tenant does not allow'],
  operatorUnknown: ['access_denied', 'no operator is known for the number of login_hint'],
  numberVerificationUnsupported: ['access_denied', 'the operator of login_hint verifies no phones'],
  costCapReached: ['temporarily_unavailable', 'the daily cost cap of the tenant is reached'],
}
