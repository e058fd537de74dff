// What can a connector check? The extension point: one file per upstream interface + one line in index.ts.

import {
  type CheckAnswer,
  type CheckQuestion,
  type Consent,
  NothingStated,
  NotStated,
  type OperatorCheckName,
  WindowTooLong,
} from '@ringfence/contract'
import type { Static, TSchema } from 'typebox'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { GuardState } from '../../upstream/guard.ts'
import type { AuthorizationAnswer } from '../../upstream/oauth/code-flow.ts'
import { UpstreamError, UpstreamRefusal } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import type { Inquiry } from '../inquiry.ts'
import type { PortabilityAnswer } from '../portability-sources/source.ts'

/** Answers one check. Throws an `UpstreamRefusal` of this file or an `UpstreamError`; never guesses. */
export type AnswerCheck<Name extends OperatorCheckName> = (
  number: PhoneNumber,
  question: CheckQuestion<Name>,
  inquiry: Inquiry,
) => Promise<CheckAnswer<Name>>

/** What an operator reports automatically. */
export interface SwapSubscriptions {
  /**
   * Subscribes to the SIM swaps of a number. Events go to `sink` with the bearer token. Throws `CheckUnsupported` or an `UpstreamError`.
   *
   * @param until epoch milliseconds; an operator may end it earlier, which it then says
   */
  subscribe(
    number: PhoneNumber,
    request: { readonly sink: string; readonly accessToken: string; readonly until: number },
    inquiry: Inquiry,
  ): Promise<{ readonly id: string; readonly expiresAt?: number }>
  /** Also for one that has ended. */
  end(id: string, inquiry: Inquiry): Promise<void>
  state(): GuardState
  close(): Promise<void>
}

/** The phone itself shows its number: it opens a URL of the operator over mobile data, and brings a code back. */
export interface NumberVerification {
  /**
   * What the phone opens; calls nobody. `secrets` belong to this URL, and must not leave the server. Throws `CheckUnsupported` for a
   * purpose that the operator did not grant.
   */
  begin(
    number: PhoneNumber,
    request: {
      readonly state: string
      readonly redirectUri: string
      /** Whether the phone has this number, or which number it has. */
      readonly asks: 'match' | 'number'
      /** What for, as the caller states it. */
      readonly consent?: Consent | undefined
    },
  ): { readonly url: string; readonly secrets: string }
  /**
   * Whether the phone that brought the code has this number. The code is used up. Throws `NotOnMobileNetwork`, `CheckUnsupported` or an
   * `UpstreamError`; never guesses.
   */
  verify(number: PhoneNumber, response: AuthorizationAnswer, begun: Begun, inquiry: PaidInquiry): Promise<boolean>
  /** Which number the phone has; throws the same. */
  numberOfPhone(response: AuthorizationAnswer, begun: Begun, inquiry: PaidInquiry): Promise<string>
  upstreams(): readonly GuardState[]
  close(): Promise<void>
}

interface PaidInquiry extends Inquiry {
  /** Runs the request that the operator bills. Never the exchange of a code: anybody can make one up. */
  pay<Answer>(request: () => Promise<Answer>): Promise<Answer>
}

interface Begun {
  readonly secrets: string
  readonly redirectUri: string
}

/** A connector to one upstream. */
export interface Connector {
  /** Its name in the configuration file. */
  readonly name: string
  /** True for made-up data: results are marked x-ringfence-sandbox. */
  readonly sandbox?: boolean
  /** The checks that the upstream answers. One that it does not offer is left out. */
  readonly checks: { readonly [Name in OperatorCheckName]?: AnswerCheck<Name> }
  /** Whether its call forwarding check can detect forwarding when busy, unanswered or unreachable. */
  readonly detectsConditionalForwarding?: boolean
  /** Which operator serves the number, and whether it was ported; absent: the upstream does not say. */
  readonly lookUpOperator?: (number: PhoneNumber, inquiry: Inquiry) => Promise<PortabilityAnswer | undefined>
  /** Absent: it reports no SIM swap automatically. */
  readonly swapSubscriptions?: SwapSubscriptions
  /** Absent: the upstream verifies no phones. */
  readonly numberVerification?: NumberVerification
  /** What it calls, and whether this server calls it now; absent: it reports nothing. */
  upstreams?(): readonly GuardState[]
  /** Gets an access token, and throws when there is none: `ringfence doctor` checks credentials. Absent: that needs a phone number. */
  getToken?(signal: AbortSignal): Promise<void>
  close?(): Promise<void>
}

/** CAMARA's code of HTTP 501. */
export const notImplemented = 'NOT_IMPLEMENTED'

/** The upstream says that it does not offer this check for this number (CAMARA SERVICE_NOT_APPLICABLE, HTTP 501). */
export class CheckUnsupported extends UpstreamRefusal {
  override name = 'CheckUnsupported'
  readonly outcome = 'unsupported'
}

/** The upstream says that it has nothing to state: no check follows, and a client of our CAMARA API gets the same. */
export class NothingAnswered extends UpstreamError {}

/** Which windows an upstream supports: those up to a limit, or one only. Undefined: it does not say how long they are. */
export type SupportedWindow = { readonly limitHours: number | undefined } | { readonly onlyHours: number | undefined }

/** The upstream may not look back that far (CAMARA OUT_OF_RANGE), or answers for another window only. */
export class WindowUnsupported extends UpstreamRefusal {
  override name = 'WindowUnsupported'
  readonly outcome = 'window'
  readonly supported: SupportedWindow
  constructor(message: string, supported: SupportedWindow = { limitHours: undefined }) {
    super(message)
    this.supported = supported
  }
}

/** The upstream supports the check, but not these parameters: an area that is too small. */
export class ParametersUnsupported extends UpstreamRefusal {
  override name = 'ParametersUnsupported'
  readonly outcome = 'parameters'
  /** What to do instead: "send a later date". */
  readonly hint: string
  constructor(message: string, hint: string, code?: string) {
    super(message, code)
    this.hint = hint
  }
}

/** The phone did not use the mobile data of its operator, so nobody knows its number. */
export class NotOnMobileNetwork extends UpstreamRefusal {
  override name = 'NotOnMobileNetwork'
  readonly outcome = 'not_on_mobile_network'
}

/** One kind of upstream: the schema of its part of the configuration file, and how to create a connector from it. */
export interface ConnectorKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  /** Throws an error that names the key that cannot work, such as a missing secret or an unreadable private key. */
  create(name: string, config: Static<Config>, resources: UpstreamResources): Connector
}

/** Runs `read`, which finds out what a response means, and makes its errors those of connectors. */
export function answerOf<Answer>(call: string, read: () => Answer): Answer {
  try {
    return read()
  } catch (error) {
    if (error instanceof NothingStated) throw new NothingAnswered('format', `${call}: ${error.message}`)
    if (error instanceof NotStated) throw new UpstreamError('format', `${call}: ${error.message}`)
    if (error instanceof WindowTooLong)
      throw new WindowUnsupported(`${call}: ${error.message}`, { limitHours: error.limitHours })
    throw error
  }
}
