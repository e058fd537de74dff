// Does this server still have the batch that it works on, and may it go on? The claim is renewed until the work ends.

import { Refusal } from '../../core/errors.ts'
import type { TelecomNeeds } from '../room.ts'
import { type BatchRow, renewClaim } from '../store/batches.ts'

/** After this long without a word of its server, another one goes on with a batch. */
export const claimMs = 10_000
/** Also how soon a cancellation is noticed. */
const renewMs = 500

export type ClaimedRow = BatchRow & { readonly claim: Uint8Array }

type Needs = Pick<TelecomNeeds, 'database' | 'clock' | 'log' | 'clients'>

export class HeldClaim {
  readonly #row: ClaimedRow
  readonly #clientId: string
  readonly #needs: Needs
  readonly #isClosing: () => boolean
  #renewing: NodeJS.Timeout | undefined
  #isLost = false
  #isCanceled: boolean

  constructor(row: ClaimedRow, clientId: string, needs: Needs, isClosing: () => boolean) {
    this.#row = row
    this.#clientId = clientId
    this.#needs = needs
    this.#isClosing = isClosing
    this.#isCanceled = row.state === 'canceling'
  }

  /** Another server has it, or it was deleted. */
  get isLost(): boolean {
    return this.#isLost
  }

  get isCanceled(): boolean {
    return this.#isCanceled
  }

  hold(): void {
    this.#renewing = setInterval(() => {
      this.stillOurs().catch((error) => this.#needs.log.warn({ err: error }, 'cannot renew the claim of a batch'))
    }, renewMs)
    this.#renewing.unref()
  }

  letGo(): void {
    clearInterval(this.#renewing)
  }

  until(): number {
    return this.#needs.clock.now() + claimMs
  }

  /** Why no other number may be checked. */
  stopped(): 'canceled' | 'closing' | undefined {
    if (this.#isLost || this.#isClosing()) return 'closing'
    return this.#isCanceled ? 'canceled' : undefined
  }

  async stillOurs(): Promise<boolean> {
    const [state, isAdmitted] = await Promise.all([
      renewClaim(this.#needs.database, this.#row, this.until()),
      this.#isClientAdmitted(),
    ])
    this.#isLost ||= state === undefined
    this.#isCanceled ||= state === 'canceling' || !isAdmitted
    return !this.#isLost
  }

  /** Who revokes a client wants nothing more paid in its name. */
  async #isClientAdmitted(): Promise<boolean> {
    try {
      return (await this.#needs.clients.live(this.#clientId)) !== undefined
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
}
