// What is the result of one number of a batch? The same as POST /v1/telecom/checks would answer, and no operator is called twice.

import type { Cost, InBodyError } from '@ringfence/contract'
import type { CheckCall } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import { explainInvalidPhoneNumber } from '../../phone/explain-invalid.ts'
import { type PhoneNumber, parsePhoneNumber } from '../../phone/phone-number.ts'
import type { Platform } from '../../platform.ts'
import type { StoredAnswers } from '../../storage/telecom-answers.ts'
import type { Subject } from '../subject.ts'
import { answerChecks, inBodyError } from '../telecom-checks.ts'
import { type BatchHead, digitsIn, type StoredResult } from './batch-record.ts'
import { isOverloaded, type Patience } from './patience.ts'
import type { Turns } from './turns.ts'

export interface LineResources {
  readonly platform: Platform
  readonly tenantId: string
  readonly head: BatchHead
  readonly turns: Turns
  readonly patience: Patience
  /** Whether numbers that wait for their turn must not be checked any more, and why. */
  stopped(): 'canceled' | 'closing' | undefined
}

export interface AskedNumber {
  readonly phoneNumber: string
  /** Sent to operators, as x-correlator. */
  readonly correlator: string
  /** A server that stopped may have called an operator about it. */
  readonly wasAsked: boolean
  readonly stored: StoredAnswers
  /** Awaited before an operator is called. */
  noteAsking(): Promise<void>
}

/** The server is closing: another one, or the next start, goes on with this number. */
export class NotChecked extends Error {
  override name = 'NotChecked'
}

/** Throws NotChecked, and what `noteAsking` throws. */
export async function answerLine(asked: AskedNumber, resources: LineResources): Promise<StoredResult> {
  const { platform, tenantId, head, turns, patience, stopped } = resources
  const number = parsePhoneNumber(digitsIn(asked.phoneNumber))
  if (!number) return { e: invalidNumber(asked.phoneNumber) }
  const refusal = refusalOf(head, tenantId, platform)
  if (refusal) return { e: inBodyError(refusal) }
  const whyNot = stopped()
  if (whyNot === 'closing') throw new NotChecked()
  if (whyNot === 'canceled') return { e: inBodyError(new Refusal('batchCanceled')) }

  let asking: Promise<void> | undefined
  let leave: (() => void) | undefined
  /** Why no operator may be called, or what went wrong before one was. */
  let obstacle: unknown
  const call = new LineCall(asked, resources, async () => {
    asking ??= ask()
    await asking.catch((error) => {
      obstacle ??= error
      throw error
    })
  })

  async function ask(): Promise<void> {
    if (asked.wasAsked) throw new Refusal('batchInterrupted')
    leave = await turns.enter()
    const whyNot = stopped()
    if (whyNot === 'canceled') throw new Refusal('batchCanceled')
    if (whyNot === 'closing') throw new NotChecked()
    await asked.noteAsking()
  }

  try {
    const subject = await identified(number)
    if (obstacle !== undefined && !(obstacle instanceof Refusal)) throw obstacle
    const { phoneDetail, cost } = subject
    const checks = await answerChecks(subject, head.checks, call, platform, patience.run)
    if (obstacle !== undefined) {
      if (!(obstacle instanceof Refusal)) throw obstacle
      // What is known without an operator stays; the rest says why it was not asked.
      const error = inBodyError(obstacle)
      const all = Object.entries(checks).map(([name, result]) => [
        name,
        result.success ? result : { success: false, error },
      ])
      return { p: phoneDetail, c: Object.fromEntries(all), ...sandbox() }
    }
    const k = sumOf(cost, checks)
    return { p: phoneDetail, c: checks, ...(k > 0 && { k }), ...sandbox() }
  } catch (error) {
    // A check passes on what it did not expect.
    throw obstacle !== undefined && !(obstacle instanceof Refusal) ? obstacle : error
  } finally {
    leave?.()
    call.end()
  }

  function sandbox() {
    return call.provenance.sandbox && { s: 1 as const }
  }

  async function identified(number: PhoneNumber): Promise<Subject> {
    for (let attempt = 0; ; attempt++) {
      const subject = await platform.telecom.operators.identify(number, call)
      const isBusy = subject.operator === undefined && isOverloaded(subject.sourceFailure)
      if (!isBusy || !(await patience.again(attempt))) return subject
    }
  }
}

/** A class, so that all lines share one hidden class; see `PartOfCall`. */
class LineCall implements CheckCall {
  readonly requestId
  readonly correlator
  readonly provenance = { sandbox: false }
  readonly caller
  readonly consent
  readonly stored
  readonly beforeRequest
  private readonly deadlineMs: number
  private readonly timers: NodeJS.Timeout[] = []

  constructor(asked: AskedNumber, { platform, tenantId, head }: LineResources, beforeRequest: () => Promise<void>) {
    this.requestId = head.requestId
    this.correlator = asked.correlator
    this.caller = { tenantId, clientId: head.clientId }
    this.consent = head.consent
    this.stored = asked.stored
    this.beforeRequest = beforeRequest
    this.deadlineMs = platform.settings.deadlineMs
  }

  /** Each wait for an upstream has the deadline of a check. */
  get signal() {
    const controller = new AbortController()
    const due = () => controller.abort(new DOMException('the answer is due', 'TimeoutError'))
    this.timers.push(setTimeout(due, this.deadlineMs))
    return controller.signal
  }

  end(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }
}

/** A batch may be older than the configuration that requires a purpose. */
function refusalOf({ consent }: BatchHead, tenantId: string, { telecom }: Platform): Refusal | undefined {
  try {
    telecom.purposes.admit(tenantId, consent, 'query')
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function invalidNumber(phoneNumber: string): InBodyError {
  const { errorCode, message } = inBodyError(new Refusal('invalidPhoneNumber'))
  const mistake = explainInvalidPhoneNumber(digitsIn(phoneNumber), 'phoneNumber')
  return { errorCode, message, description: `Request error: Invalid phone number: ${mistake}` }
}

/** Of finding the operator, and of the checks, in millionths. The portability check is the former. */
function sumOf(ofSubject: Cost | undefined, checks: NonNullable<StoredResult['c']>): number {
  const costs = Object.entries(checks).map(([name, { cost }]) => (name === 'portability' ? 0 : (cost?.micros ?? 0)))
  return costs.reduce((sum, micros) => sum + micros, ofSubject?.micros ?? 0)
}
