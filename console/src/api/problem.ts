// What does a refused call say? A problem (RFC 9457) of the admin API, or that the service was not reached.

/** The body of an error of the admin API (RFC 9457). */
export interface Problem {
  /** `/problems/` and the name of its kind. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** What is wrong, and what to do. */
  readonly detail: string
  /** With `version-changed`: the present version of the record. */
  readonly version?: string
  readonly requestId: string
}

/** A call that failed. `problem` is absent when no answer of the service arrived. */
export class CallFailed extends Error {
  readonly problem: Problem | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(problem: Problem | undefined, retryAfterSeconds?: number) {
    super(problem?.title ?? 'The service was not reached')
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether the same call can succeed a little later. */
  get isTemporary(): boolean {
    return this.problem === undefined || [408, 429, 502, 503, 504].includes(this.problem.status)
  }
}

/** The name of the kind of problem, such as `not-signed-in`; undefined when the service was not reached. */
export function problemName(error: unknown): string | undefined {
  return error instanceof CallFailed ? error.problem?.type.split('/').at(-1) : undefined
}
