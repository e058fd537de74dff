// Which calls does Ringfence answer? One method each.

import type { Answer } from './answer.ts'
import { call } from './call.ts'
import { type CallOptions, checkedSettings, type RingfenceOptions, type Settings } from './settings.ts'
import type {
  CallForwardingRequest,
  CallForwardingResult,
  DeviceReport,
  DeviceReportRequest,
  IssuedToken,
  IssueTokenRequest,
  LabelAnswer,
  LabelRequest,
  PortabilityRequest,
  PortabilityResult,
  RevokedToken,
  RevokeTokenRequest,
  SecureInfoRequest,
  SecureInfoResult,
  SimSwapRequest,
  SimSwapResult,
  TokenVerification,
  ValidateTokenRequest,
} from './types.ts'

/**
 * A client of one Ringfence service. It keeps no state but its options: make one and share it.
 *
 * Every method fails with a `RingfenceError` alone. A check that was accepted but could not be completed is no failure
 * of the call: it is answered with `success: false` and `error`. Read result fields only when `success` is true.
 */
export class Ringfence {
  readonly #settings: Settings

  /** @throws RingfenceError with the code `invalid_argument`, naming the option that is wrong */
  constructor(options: RingfenceOptions) {
    this.#settings = checkedSettings(options)
  }

  /**
   * Was the SIM of the number swapped within the last `maxAge` hours (1 to 2400; 240 unless given or set otherwise)?
   * `swapped: false` means only that no swap was found within them.
   */
  async simSwapCheck(request: SimSwapRequest, options: CallOptions = {}): Promise<Answer<SimSwapResult>> {
    return call('simSwapCheck', request, options, this.#settings)
  }

  /** Are calls to the number forwarded? Forwarding can divert a voice OTP to a device that the user does not control. */
  async callForwardingCheck(
    request: CallForwardingRequest,
    options: CallOptions = {},
  ): Promise<Answer<CallForwardingResult>> {
    return call('callForwardingCheck', request, options, this.#settings)
  }

  /** Was the number ported away from its home operator? The result is `phoneDetail.isPorted`. */
  async portability(request: PortabilityRequest, options: CallOptions = {}): Promise<Answer<PortabilityResult>> {
    return call('portability', request, options, this.#settings)
  }

  /**
   * Whom does the frontend's token stand for? Fails with the code `invalid_token` or `expired_token` when it is not accepted.
   * `network`, `deviceInfo` and `secureInfo` are there when they were collected at the sign-in.
   */
  async validateToken(request: ValidateTokenRequest, options: CallOptions = {}): Promise<Answer<TokenVerification>> {
    return call('validateToken', request, options, this.#settings)
  }

  /** What is known of the device and network of a token? Of tokens with and without a login; fails as `validateToken` does. */
  async secureInfo(request: SecureInfoRequest, options: CallOptions = {}): Promise<Answer<SecureInfoResult>> {
    return call('secureInfo', request, options, this.#settings)
  }

  /** A token for a user whom your backend has signed in itself, to hand to your frontend. */
  async issueToken(request: IssueTokenRequest, options: CallOptions = {}): Promise<Answer<IssuedToken>> {
    return call('issueToken', request, options, this.#settings)
  }

  /** Ends a token at once. Fails with the code `invalid_token` when it is none of yours, as nothing was revoked. */
  async revokeToken(request: RevokeTokenRequest, options: CallOptions = {}): Promise<Answer<RevokedToken>> {
    return call('revokeToken', request, options, this.#settings)
  }

  /**
   * What is known of the device that gave this `dfrId`, and what your rules make of it? A record of one moment, the same whenever it
   * is read. Fails with the code `not_found` when the report is unknown, forgotten, or of another `deviceType`.
   */
  async deviceFingerprint(request: DeviceReportRequest, options: CallOptions = {}): Promise<Answer<DeviceReport>> {
    return call('deviceFingerprint', request, options, this.#settings)
  }

  /** Tells how sessions turned out, for the history of their devices and the precision of rules. `unknown` names ids of no report. */
  async labelReports(request: LabelRequest, options: CallOptions = {}): Promise<Answer<LabelAnswer>> {
    return call('labelReports', request, options, this.#settings)
  }
}
