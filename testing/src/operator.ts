// What does the mobile operator of the sandbox do? Answers as it should, late, wrong or not at all, as a test says.

import { send } from './send.ts'

/** What the operator knows of a number; what is left out stays as it is. */
export interface Line {
  /** When the SIM was changed, in hours before now. */
  readonly simChangedHoursAgo?: number
  /** Active call forwarding. null: the operator does not say. */
  readonly forwarding?: readonly ForwardingKind[] | null
  /** `001-01`, `001-02` (all checks) or `001-03` (no checks) serves it. A number is ported when it differs from `homeOperator`. */
  readonly operator?: string | null
  readonly homeOperator?: string | null
  readonly [field: string]: unknown
}

export type ForwardingKind =
  | 'unconditional'
  | 'conditional_busy'
  | 'conditional_not_reachable'
  | 'conditional_no_answer'

export interface FaultOptions {
  /** Only calls of this path, such as `/sim-swap/v2/check`. Default: all calls. */
  readonly route?: string
  /** For so many calls. Default: until `works()`. */
  readonly times?: number
}

export interface Operator {
  /** Where its admin API is: docs/reference/sandbox.md. */
  readonly url: string
  /** Changes what it knows of a number: digits with country code. */
  line(phoneNumber: string, line: Line): Promise<void>
  /** Answers correctly, late. Default: after 30 seconds. */
  slow(options?: FaultOptions & { readonly delayMs?: number }): Promise<void>
  /** Answers with an error. Default: 503. */
  fail(options?: FaultOptions & { readonly status?: number }): Promise<void>
  /** Resets connections. */
  reset(options?: FaultOptions): Promise<void>
  /** Ends all of these faults. */
  works(): Promise<void>
}

export function operatorOf(sandboxUrl: string): Operator {
  const fault = async (body: object) => void (await send(`${sandboxUrl}/sandbox/faults`, { body }))
  return {
    url: sandboxUrl,
    async line(phoneNumber, line) {
      const path = `${sandboxUrl}/sandbox/numbers/${encodeURIComponent(phoneNumber)}`
      await send(path, { method: 'PATCH', body: line })
    },
    slow: ({ delayMs = 30_000, ...aim } = {}) => fault({ kind: 'slow', delayMs, ...aim }),
    fail: ({ status = 503, ...aim } = {}) => fault({ kind: 'status', status, ...aim }),
    reset: (aim = {}) => fault({ kind: 'reset', ...aim }),
    works: async () => void (await send(`${sandboxUrl}/sandbox/faults`, { method: 'DELETE' })),
  }
}
