// What is the result of one number of a batch? The same as POST /v1/telecom/checks would answer, and no operator is called twice.

import type { Cost, InBodyError } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { Turns } from '../../core/heavy-work/turns.ts'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { readPhoneNumber } from '../../phone/read-number.ts'
import type { AdmittedNumber } from '../operators.ts'
import type { CheckNeeds } from '../steps/check-context.ts'
import type { StoredAnswers } from '../store/telecom-answers.ts'
import { admitNumber, type Subject } from '../subject.ts'
import { answerChecks, inBodyError, type RunCheck } from '../telecom-checks.ts'
import type { BatchHead, StoredResult } from './batch-record.ts'
import { LineCall } from './line-call.ts'
import { isOverloaded, type Patience } from './patience.ts'

export interface LineResources {
  readonly needs: CheckNeeds
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
  const { needs, tenantId, head, turns, patience, stopped } = resources
  const number = readPhoneNumber(asked.phoneNumber, 'phoneNumber')
  if (typeof number === 'string') return { e: invalidNumber(number) }
  const admitted = admittedLine(number, resources)
  if (admitted instanceof Refusal) return { e: inBodyError(admitted) }
  const whyNot = stopped()
  if (whyNot === 'closing') throw new NotChecked()
  if (whyNot === 'canceled') return { e: inBodyError(new Refusal('batchCanceled')) }

  let isNoted = false
  /** Why no operator may be called, or what went wrong before one was. */
  let obstacle: unknown
  const { correlator, stored } = asked
  const { requestId, clientId, consent } = head
  const about = { requestId, correlator, caller: { tenantId, clientId }, consent, stored }
  const call = new LineCall(about, {
    deadlineMs: needs.settings.deadlineMs,
    enter: () => (asked.wasAsked ? Promise.resolve(() => {}) : turns.enter(tenantId)),
    async admit() {
      try {
        await noteAsking()
      } catch (error) {
        obstacle ??= error
        throw error
      }
    },
  })
  const pause: LineCall['pause'] = (wait) => call.pause(wait)
  const run: RunCheck = (check) => patience.run(check, pause).finally(() => call.endCheck())

  async function noteAsking(): Promise<void> {
    if (asked.wasAsked) throw new Refusal('batchInterrupted')
    // What has been asked about is finished.
    if (isNoted) return
    const whyNot = stopped()
    if (whyNot === 'canceled') throw new Refusal('batchCanceled')
    if (whyNot === 'closing') throw new NotChecked()
    await asked.noteAsking()
    isNoted = true
  }

  try {
    const subject = await identified(admitted)
    if (obstacle !== undefined && !(obstacle instanceof Refusal)) throw obstacle
    const { phoneDetail, cost } = subject
    call.begin(Object.keys(head.checks).length)
    const checks = await answerChecks(subject, head.checks, call, needs, run)
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
    call.end()
  }

  function sandbox() {
    return call.provenance.sandbox && { s: 1 as const }
  }

  async function identified(number: AdmittedNumber): Promise<Subject> {
    for (let attempt = 0; ; attempt++) {
      const subject = await needs.telecom.operators.identify(number, call)
      const isBusy = subject.operator === undefined && isOverloaded(subject.sourceFailure)
      if (!isBusy || !(await pause(() => patience.again(attempt)))) return subject
    }
  }
}

/** A batch may be older than the configuration that requires a purpose. */
function admittedLine(
  number: PhoneNumber,
  { head: { consent }, tenantId, needs }: LineResources,
): AdmittedNumber | Refusal {
  try {
    return admitNumber(number, { caller: { tenantId }, consent }, needs, 'query')
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function invalidNumber(mistake: string): InBodyError {
  const { errorCode, message } = inBodyError(new Refusal('invalidPhoneNumber'))
  return { errorCode, message, description: `Request error: Invalid phone number: ${mistake}` }
}

/** Of finding the operator, and of the checks, in millionths. The portability check is the former. */
function sumOf(ofSubject: Cost | undefined, checks: NonNullable<StoredResult['c']>): number {
  const costs = Object.entries(checks).map(([name, { cost }]) => (name === 'portability' ? 0 : (cost?.micros ?? 0)))
  return costs.reduce((sum, micros) => sum + micros, ofSubject?.micros ?? 0)
}
