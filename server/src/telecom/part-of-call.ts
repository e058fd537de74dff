// What does one check know of the call that it is a part of? The same, with its own consent, provenance or place for its answers.

import type { CheckCall } from './check-call.ts'

/**
 * Parts that cost time are made when a check asks an upstream, as most answers are reused. A class: getters in an object literal are new
 * functions, so V8 would give each object its own hidden class, which survives many collections.
 */
export class PartOfCall implements CheckCall {
  readonly requestId
  readonly correlator
  readonly provenance
  readonly caller
  readonly consent
  readonly beforeRequest
  readonly stored
  readonly storing
  readonly isByHand
  private readonly whole: CheckCall

  constructor(call: CheckCall, { consent = call.consent, provenance = call.provenance, storing = call.storing }: Own) {
    this.requestId = call.requestId
    this.correlator = call.correlator
    this.provenance = provenance
    this.caller = call.caller
    this.consent = consent
    this.beforeRequest = call.beforeRequest
    this.stored = call.stored
    this.storing = storing
    this.isByHand = call.isByHand ?? false
    this.whole = call
  }

  get signal() {
    return this.whole.signal
  }
  get trace() {
    return this.whole.trace
  }
  get maxAgeSeconds() {
    return this.whole.maxAgeSeconds
  }
}

type Own = Partial<Pick<CheckCall, 'consent' | 'provenance' | 'storing'>>
