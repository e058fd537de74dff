// What do the people of an app do while a program breaks something? Their SDKs analyse devices, and they sign in.

import { setTimeout as after } from 'node:timers/promises'
import type { Judge } from '../promise.ts'
import { type AppCallers, DeviceLedger, makeCallers, unlimitedApps } from './device-ledger.ts'
import { type MessageGateway, unlimitedMessages } from './message-gateway.ts'
import type { ServiceProcess } from './service-process.ts'
import { SignInLedger } from './sign-in-ledger.ts'

/**
 * Limits high enough for this traffic, whose links are opened without credentials, and for credentials that were revoked. Tokens outlive
 * the run, since they are compared at its end.
 */
export const unlimitedTraffic = {
  ...unlimitedApps,
  ...unlimitedMessages,
  tokenLifetimeSeconds: 86_400,
  publicRatePerSecond: 1_000_000,
  wrongCredentialsPerMinute: 1_000_000,
}

/**
 * Both are recorded with what was acknowledged: sessions of SDKs (config, engine call, push, report), and sign-ins (start, and verify with
 * an OTP or the code of a magic link).
 */
export class AppTraffic {
  readonly #devices: DeviceLedger
  readonly #signIns: SignInLedger

  constructor(callers: AppCallers, gateway: MessageGateway) {
    this.#devices = new DeviceLedger(callers)
    this.#signIns = new SignInLedger(callers, gateway)
  }

  /** Reports of devices that were acknowledged. */
  get reports(): number {
    return this.#devices.reports
  }

  /** Sign-ins whose token was received. */
  get signIns(): number {
    return this.#signIns.completed
  }

  /** The figures of an outcome. */
  get figures(): Record<string, number> {
    return { 'reports of devices acknowledged': this.reports, 'sign-ins completed': this.signIns }
  }

  /** A whole session of a device, and a whole sign-in. Throws as `fetch` does when the service is gone. */
  async session(url: string, complaints: Judge): Promise<void> {
    await this.#both((ledger) => ledger.session(url, complaints))
  }

  /** How many of the two were not answered, because of 503. */
  async refused(url: string, complaints: Judge): Promise<number> {
    const answered = await this.#both((ledger) => ledger.tried(url, complaints))
    return answered.filter((isAnswered) => !isAnswered).length
  }

  /** The first report and the first sign-in can be read. */
  async serves(url: string, complaints: Judge, what: string): Promise<void> {
    await this.#both((ledger) => ledger.serves(url, complaints, what))
  }

  /**
   * Complains when something differs from what was acknowledged. `all`: compares older sessions too, and complains when there is nothing
   * to compare.
   */
  async compare(service: ServiceProcess, complaints: Judge, options: { all?: boolean } = {}): Promise<void> {
    await this.#devices.compare(service, complaints, options)
    await this.#signIns.compare(service.url, complaints, options)
    const isEmpty = this.reports === 0 || this.signIns === 0
    complaints.unless(!(options.all && isEmpty), () => `nothing was compared: ${JSON.stringify(this.figures)}`)
  }

  /** Waits at most this long for one more report and one more sign-in. Returns whether they came. */
  async untilAcknowledged(forMs: number): Promise<boolean> {
    const { reports, signIns } = this
    for (const endAt = performance.now() + forMs; performance.now() < endAt; await after(5)) {
      if (this.reports > reports && this.signIns > signIns) return true
    }
    return false
  }

  /** Throws the first error only when both have ended, so that nothing of them is still in flight. */
  async #both<T>(work: (ledger: DeviceLedger | SignInLedger) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled([work(this.#devices), work(this.#signIns)])
    return settled.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
  }
}

/** The traffic of a new tenant with an app. */
export const appTraffic = async (service: ServiceProcess, gateway: MessageGateway): Promise<AppTraffic> =>
  new AppTraffic(await makeCallers(service), gateway)
