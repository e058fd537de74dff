// How are the parts of a decision looked up side by side, within its deadline? What does not arrive is missing, with the reason.

import { type Decision, type Missing, type MissingPart, missingReasons, type TelecomCheck } from '@ringfence/contract'
import type { Logger } from 'pino'
import { StorageUnavailable } from '../../core/storage/database.ts'
import { before } from '../../upstream/deadline.ts'

type Why<Part extends MissingPart> = (typeof missingReasons)[Part][number]

/** Thrown by the look-up of a part that cannot be used. */
export class PartMissing<Part extends MissingPart = MissingPart> extends Error {
  override name = 'PartMissing'
  readonly why: Why<Part>
  constructor(why: Why<Part>, options?: ErrorOptions) {
    super(why, options)
    this.why = why
  }
}

/** Of one check: what the fold of the event log counts. */
export interface OperatorCall {
  /** How long the operator took to answer; absent: it did not. */
  readonly ms?: number
  /** Who did not answer, if that is known. */
  readonly operator?: string
  /** Millionths of the currency; absent: a price is not configured. */
  readonly micros?: number
}

export type OperatorCalls = Partial<Record<TelecomCheck, OperatorCall>>

export interface Parts {
  /** Aborts when the deadline of the decision has passed. */
  readonly signal: AbortSignal
  /**
   * The part, or undefined when it is missing. Throws StorageUnavailable: without a store there is no decision.
   * `late`: why it is missing when the deadline comes first.
   */
  find<Part extends MissingPart, Value>(
    what: Part,
    look: () => Promise<Value>,
    late: Why<Part>,
    failed: Why<Part>,
  ): Promise<Value | undefined>
  readonly missing: Decision['missing'][number][]
  /** Of checks for which an operator was called. */
  readonly calls: OperatorCalls
  /** Within the same deadline, with its own lists. */
  apart(): Parts
}

/** `end`: no part is waited for any more. */
export function partsWithin(
  deadlineMs: number,
  log: Pick<Logger, 'warn'>,
  requestId: string,
): Parts & { readonly end: () => void } {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DOMException('the decision is due', 'TimeoutError')), deadlineMs)
  return {
    ...partsUntil(deadline.signal, log, requestId),
    end() {
      clearTimeout(timer)
    },
  }
}

function partsUntil(signal: AbortSignal, log: Pick<Logger, 'warn'>, requestId: string): Parts {
  const missing: Decision['missing'][number][] = []
  return {
    signal,
    missing,
    calls: {},
    apart: () => partsUntil(signal, log, requestId),
    async find(what, look, late, failed) {
      try {
        return await before(signal, look(), () => new PartMissing(late))
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error
        if (!(error instanceof PartMissing))
          log.warn({ err: error, part: what, requestId }, 'a part of a decision failed')
        missing.push({ what, why: error instanceof PartMissing ? error.why : failed })
        return undefined
      }
    },
  }
}

/**
 * The same promise. Parts start side by side and are awaited one after the other: one that is rejected before its turn, or whose turn never
 * comes, must not end the process.
 */
export function awaitedLater<T>(part: Promise<T>): Promise<T> {
  part.catch(() => {})
  return part
}

const partOrder = Object.keys(missingReasons)

/** What is missing, in the same order whichever part ended first; each once. */
export const inOrder = (missing: readonly Missing[], required: readonly Missing[] = []): Missing[] => {
  const isNew = ({ what, path }: Missing) => !missing.some((each) => each.what === what && each.path === path)
  return [...missing, ...required.filter(isNew)].toSorted(
    (a, b) => partOrder.indexOf(a.what) - partOrder.indexOf(b.what),
  )
}
