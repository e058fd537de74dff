// GET /camara/oauth2/authorize: which operator identifies this phone? It is redirected there without a login page (prompt=none).

import { randomUUID } from 'node:crypto'
import { describeRefusal, Refusal } from '../../core/errors.ts'
import type { Page } from '../../core/pages/page.ts'
import { countPaidLookUp } from '../../sign-in/authentication/messages/limits.ts'
import { countPhone } from '../../telecom/number-verification/begun-limit.ts'
import { verificationLifetimeMs } from '../../telecom/number-verification/number-verifications.ts'
import { beginVerification } from '../../telecom/number-verification/verification.ts'
import { identifySubject } from '../../telecom/subject.ts'
import type { CamaraFrontNeeds } from '../room.ts'
import { readScope } from '../scope.ts'
import { consentOf } from '../stated-consent.ts'
import {
  AuthorizationRefused,
  type ReturnAddress,
  readAuthorizationRequest,
  returnAddressOf,
} from './authorization-request.ts'
import { backToClient, redirect } from './back-to-client.ts'
import { redirectError } from './redirect-errors.ts'
import { newSecret, openStep } from './steps.ts'

/** Of our state at operators. The callback sees by it that this is no sign-in. */
export const statePrefix = 'camara-'

/** The phone waits, with an empty screen. */
const lookUpMs = 5000

/** Errors go to the client by redirect; without a client and its redirect_uri, to whoever opened the page. */
export async function authorizePage(
  needs: CamaraFrontNeeds,
  query: URLSearchParams,
  ipAddress: string | undefined,
): Promise<Page> {
  let address: ReturnAddress
  try {
    address = await returnAddressOf(query, needs)
  } catch (error) {
    if (error instanceof Refusal) return notRedirected(error)
    throw error
  }
  try {
    return await sendToOperator(query, address, ipAddress, needs)
  } catch (error) {
    return backToClient(address, errorOf(error), needs)
  }
}

const notRedirected = (refusal: Refusal): Page => ({
  status: 400,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ error: 'invalid_request', error_description: describeRefusal(refusal) }),
  headers: { 'cache-control': 'no-store' },
})

async function sendToOperator(
  query: URLSearchParams,
  address: ReturnAddress,
  ipAddress: string | undefined,
  needs: CamaraFrontNeeds,
): Promise<Page> {
  const { phoneNumber, ...request } = readAuthorizationRequest(query, address)
  const { tenantId, clientId } = address.caller
  // Before the look-up of the operator, which may cost.
  await countPhone(tenantId, ipAddress, needs)
  const consent = consentOf(readScope(request.scope), tenantId, needs)
  const requestId = randomUUID()
  const recipient = { type: 'MOBILE', value: phoneNumber } as const
  const lookUp = paidLookUp({ tenantId, appId: clientId, ipAddress, recipient }, needs)
  const call = {
    ...{ requestId, correlator: requestId, signal: AbortSignal.timeout(lookUpMs), consent },
    ...{ caller: { tenantId, clientId }, provenance: { sandbox: false }, beforeRequest: lookUp.count },
  }
  const subject = await identifySubject(phoneNumber, call, needs)
  lookUp.refuse()
  const state = statePrefix + newSecret()
  const { url, ...begun } = beginVerification(subject, { state, asks: request.asks }, call, needs)
  const content = { begun, request }
  await openStep('authorization', state, { tenantId, clientId, content, lifetimeMs: verificationLifetimeMs }, needs)
  return redirect(url, call.provenance.sandbox ? { 'x-ringfence-sandbox': 'true' } : {})
}

/** Anybody can open this page, so what the tenant pays for it is limited for each network and number. */
function paidLookUp(lookUp: Parameters<typeof countPaidLookUp>[0], needs: CamaraFrontNeeds) {
  const { operators, costs } = needs.telecom
  let counting: Promise<void> | undefined
  let refusal: unknown
  const countIfPaid = async () => {
    const sources = await operators.sources()
    if (sources.some(({ name }) => costs.priceOf(name, 'portability'))) await countPaidLookUp(lookUp, needs)
  }
  return {
    /** Before each request to a source. One that throws is skipped, and the number then has no operator. */
    count: () =>
      (counting ??= countIfPaid().catch((error) => {
        refusal = error
        throw error
      })),
    refuse() {
      if (refusal !== undefined) throw refusal
    },
  }
}

function errorOf(error: unknown): NonNullable<ReturnType<typeof redirectError>> {
  if (error instanceof AuthorizationRefused) return { error: error.error, error_description: error.message }
  const known = error instanceof Refusal ? redirectError(error) : undefined
  if (!known) throw error
  return known
}
