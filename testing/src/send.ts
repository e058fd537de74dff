// How is a call sent, and what does a refusal say? JSON over HTTP, with the words of the service.

/** The service refused a call. The message has its words. */
export class CallRefused extends Error {
  override name = 'CallRefused'
  /** HTTP status. */
  readonly status: number
  /** Of the service's error, where it has one. */
  readonly errorCode: string | undefined

  constructor(message: string, { status, errorCode }: { status: number; errorCode?: string | undefined }) {
    super(message)
    this.status = status
    this.errorCode = errorCode
  }
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

interface ErrorBody {
  readonly description?: string
  readonly errorMessage?: string
  readonly message?: string
  readonly errorCode?: string
}

/** POST with a body, else GET. @throws CallRefused */
export async function send<Answer>(url: string, { method, headers, body }: Sent = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body ? 'POST' : 'GET'),
    // A new connection each time: on a busy machine, a waiting one ends at the moment of the next call.
    headers: { connection: 'close', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(({ message, cause = {} }: Error & { cause?: { message?: string } }) => {
    throw new Error(`no answer from ${new URL(url).origin}: ${cause.message || message}`, { cause })
  })
  const text = await response.text()
  const answer = (text === '' ? {} : JSON.parse(text)) as Answer & ErrorBody
  if (response.ok) return answer
  const { description, errorMessage, message, errorCode } = answer
  const what = description ?? errorMessage ?? message ?? 'no reason given'
  throw new CallRefused(what, { status: response.status, errorCode })
}
