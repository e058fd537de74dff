// Does the phone that opened the operator's URL have this number? Begin, then finish with what the operator redirected with.

import type { FailureName } from '@ringfence/contract'
import { type Consent, type Cost, type PhoneDetail, titleOf } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import { callbackUrl, cameBackTo } from '../../upstream/oauth/callback-url.ts'
import type { AuthorizationAnswer } from '../../upstream/oauth/code-flow.ts'
import { logged, UpstreamError } from '../../upstream/upstream-error.ts'
import type { CheckCall } from '../check-call.ts'
import { recordingAnswer } from '../check-events.ts'
import { CheckUnsupported, NotOnMobileNetwork } from '../connectors/connector.ts'
import { CostCapReached } from '../costs/costs.ts'
import { meter } from '../costs/meter.ts'
import { PartOfCall } from '../part-of-call.ts'
import type { TelecomNeeds } from '../room.ts'
import { type Route, verifyingRoutes } from '../routing/router.ts'
import type { CheckNeeds } from '../steps/check-context.ts'
import { operatorUnknown, type Subject } from '../subject.ts'

const name = 'numberVerification'
export const title = titleOf(name)

/** A verification that has begun. Store it sealed: `secrets` belong to its URL. */
export interface BegunVerification {
  readonly digits: string
  readonly connector: string
  readonly secrets: string
  readonly redirectUri: string
  readonly phoneDetail: PhoneDetail
  /** What it is for, as its caller stated. */
  readonly consent?: Consent
}

/** With the name of the connector behind it: where operators redirect phones to, unless a backend names another URL. */
export const verificationCallbackPath = '/auth/v1/number-verification/callback'

/** Whether it came back to the URL of its connector. */
export const isOwnReturn = ({ redirectUri }: BegunVerification, connection: string): boolean =>
  cameBackTo(redirectUri, connection, verificationCallbackPath)

export interface FinishedVerification<Answer = boolean> {
  readonly answer: Answer
  /** The connector. */
  readonly source: string
  readonly cost?: Cost
  readonly phoneDetail: PhoneDetail
}

/**
 * The URL for the phone that may have this number, for the purpose of the call. Calls no operator. Refuses with operatorUnknown,
 * numberVerificationUnsupported and, for a redirect URI of a backend, fieldInvalid.
 *
 * @param state identifies the verification when the phone is redirected; nobody may guess it
 */
export function beginVerification(
  { number, phoneDetail, ...subject }: Subject,
  request: { readonly state: string; readonly redirectUri?: string | undefined; readonly asks?: 'match' | 'number' },
  { provenance, consent }: Pick<CheckCall, 'provenance' | 'consent'>,
  needs: Pick<TelecomNeeds, 'telecom' | 'addresses'>,
): BegunVerification & { readonly url: string } {
  const { telecom } = needs
  const plan = telecom.router.planOf({ number, ...subject })
  if (!plan) throw operatorUnknown({ number, phoneDetail, ...subject })
  for (const { name: connector, connector: opened } of verifyingRoutes(plan)) {
    const redirectUri =
      request.redirectUri === undefined
        ? callbackUrl(needs.addresses.auth() + verificationCallbackPath, connector)
        : redirectUriAt(connector, request.redirectUri, needs)
    const begun = begunAt(opened, redirectUri)
    if (!begun) continue
    if (opened.sandbox) provenance.sandbox = true
    return { ...begun, digits: number.digits, connector, redirectUri, phoneDetail, ...(consent && { consent }) }
  }
  throw new Refusal('numberVerificationUnsupported', { phoneDetail })

  /** Undefined: its operator did not grant this purpose. */
  function begunAt({ numberVerification }: Route['connector'], redirectUri: string) {
    try {
      return numberVerification!.begin(number, { asks: 'match', ...request, redirectUri, consent })
    } catch (error) {
      if (error instanceof CheckUnsupported) return undefined
      throw error
    }
  }
}

/**
 * The redirect URI of a backend, which belongs to one connector: where several verify phones, its path ends with the name of the one that
 * verifies this number.
 */
function redirectUriAt(connector: string, text: string, { telecom }: Pick<TelecomNeeds, 'telecom'>): string {
  const redirectUri = text.replaceAll('{connector}', connector)
  if (telecom.verifying.length === 1 || new URL(redirectUri).pathname.endsWith(`/${connector}`)) return redirectUri
  const mistake =
    'redirectUri must belong to one connector, since several verify phones: end its path with /{connector}, which becomes the name of the connector, and register each of these URIs at its operator'
  throw new Refusal('fieldInvalid', { mistake })
}

/**
 * Whether the phone that was redirected has the number, for the purpose that it began with. The code is used up. Refuses with
 * numberVerificationUnsupported, numberVerificationNotOnMobileNetwork, numberVerificationDenied, numberVerificationFailed and
 * costCapReached.
 */
export function finishVerification(
  begun: BegunVerification,
  returned: AuthorizationAnswer,
  received: CheckCall,
  needs: CheckNeeds,
): Promise<FinishedVerification> {
  const call = new PartOfCall(received, { consent: begun.consent })
  const isWarning = (isMatch: boolean) => !isMatch
  return recordingAnswer({ check: name, phoneNumber: begun.digits, isWarning }, call, needs, () =>
    askConnector(begun, returned, { call, needs, isWarning }, (verification, response, number, inquiry) =>
      verification.verify(number, response, begun, inquiry),
    ),
  )
}

/** Which number the phone has, for a verification that began with `asks: 'number'`. Refuses with the same. */
export function numberOfPhone(
  begun: BegunVerification,
  returned: AuthorizationAnswer,
  received: CheckCall,
  needs: CheckNeeds,
): Promise<FinishedVerification<string>> {
  const call = new PartOfCall(received, { consent: begun.consent })
  const isWarning = (digits: string) => digits !== begun.digits
  return recordingAnswer({ check: name, phoneNumber: begun.digits, isWarning }, call, needs, () =>
    askConnector(begun, returned, { call, needs, isWarning }, (verification, response, _number, inquiry) =>
      verification.numberOfPhone(response, begun, inquiry),
    ),
  )
}

type Verification = NonNullable<
  NonNullable<ReturnType<TelecomNeeds['telecom']['connectors']['get']>>['numberVerification']
>
type Ask<Answer> = (
  verification: Verification,
  response: { readonly code: string; readonly iss?: string | undefined },
  number: NonNullable<ReturnType<typeof parsePhoneNumber>>,
  inquiry: Parameters<Verification['verify']>[3],
) => Promise<Answer>

async function askConnector<Answer>(
  { digits, connector: source, phoneDetail }: BegunVerification,
  { code, error, iss }: AuthorizationAnswer,
  { call, needs, isWarning }: { call: CheckCall; needs: CheckNeeds; isWarning(answer: Answer): boolean },
  ask: Ask<Answer>,
): Promise<FinishedVerification<Answer>> {
  const { telecom, metrics, log } = needs
  const { requestId, caller, correlator, trace, signal, provenance, consent } = call
  const connector = telecom.connectors.get(source)
  const number = parsePhoneNumber(digits)
  const verification = connector?.numberVerification
  if (connector?.sandbox) provenance.sandbox = true
  const paid = meter({ costs: telecom.costs, metrics, log }, caller.tenantId, name)
  const count = (result: 'yes' | 'no' | 'unsupported' | 'failed' | 'capped') =>
    metrics.count('checks', name, phoneDetail.operator ?? 'unknown', result, 'operator')
  try {
    // The connector was removed from the configuration meanwhile.
    if (!verification || !number) throw new CheckUnsupported(`${source} verifies no phones any more`)
    if (error !== undefined) throw refusedByOperator(error)
    if (code === undefined)
      throw new UpstreamError('format', 'the operator redirected without a code and without an error')
    const response = { code, iss }
    const pay = <Paid>(request: () => Promise<Paid>) => paid.pay(source, signal, request)
    const answer = await ask(verification, response, number, { signal, correlator, trace, consent, pay })
    count(isWarning(answer) ? 'yes' : 'no')
    const cost = paid.cost()
    return { answer, source, phoneDetail, ...(cost && { cost }) }
  } catch (cause) {
    const cost = paid.cost()
    const isCapped = cause instanceof CostCapReached
    count(isCapped ? 'capped' : cause instanceof CheckUnsupported ? 'unsupported' : 'failed')
    if (!isCapped && failureOf(cause) === 'numberVerificationFailed') {
      log.warn({ connector: source, check: name, requestId, ...logged(cause) }, 'check failed')
    }
    throw new Refusal(isCapped ? 'costCapReached' : failureOf(cause), { phoneDetail, title, cost, cause })
  }
}

/** The person or the operator said no. */
class Denied extends Error {
  override name = 'Denied'
}

/** OpenID Connect Core 3.1.2.6: with `prompt=none`, nobody sees a page. */
const meaningOf: Readonly<Record<string, 'notOnMobileNetwork' | 'denied'>> = {
  login_required: 'notOnMobileNetwork',
  account_selection_required: 'notOnMobileNetwork',
  access_denied: 'denied',
  consent_required: 'denied',
  interaction_required: 'denied',
}

function refusedByOperator(error: string): Error {
  // Anybody can write into the URL, so only a known code is logged.
  const code = /^[a-z_]{1,64}$/.test(error) ? error : 'an error of an unknown form'
  const message = `the operator redirected with ${code}`
  const meaning = Object.hasOwn(meaningOf, error) ? meaningOf[error] : undefined
  if (meaning === 'notOnMobileNetwork') return new NotOnMobileNetwork(message)
  return meaning === 'denied' ? new Denied(message) : new UpstreamError('rejected', message)
}

function failureOf(cause: unknown): FailureName {
  if (cause instanceof NotOnMobileNetwork) return 'numberVerificationNotOnMobileNetwork'
  if (cause instanceof CheckUnsupported) return 'numberVerificationUnsupported'
  return cause instanceof Denied ? 'numberVerificationDenied' : 'numberVerificationFailed'
}
