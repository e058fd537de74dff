// Which calls does Ringfence answer? One method each.

import type { Answer } from './answer.ts'
import { call } from './call.ts'
import { type CallOptions, checkedSettings, type RingfenceOptions, type Settings } from './settings.ts'
import type {
  CallForwardingRequest,
  CallForwardingResult,
  PortabilityRequest,
  PortabilityResult,
  SimSwapRequest,
  SimSwapResult,
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
}
