// What does a refused call say? A problem (RFC 9457), an error of an endpoint that backends call too, or that the service was not reached.

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

/** The problem that a body describes; undefined for the body of something else than our service. */
export function problemIn(body: unknown, { status, headers }: Response): Problem | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('type' in body && 'detail' in body) return body as Problem
  if (!('errorCode' in body && 'description' in body)) return undefined
  const { errorCode, message, description } = body as Record<'errorCode' | 'message' | 'description', string>
  const type = `/problems/${problemOfCode[errorCode] ?? errorCode}`
  return { type, title: message, status, detail: description, requestId: headers.get('x-request-id') ?? '' }
}

/** Of the errors that a page handles by their name. */
const problemOfCode: Readonly<Record<string, string>> = { 70101: 'not-signed-in', 70103: 'permission-missing' }

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
