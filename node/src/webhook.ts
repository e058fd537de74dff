// Is this delivery of a webhook from Ringfence, and new? Checks it as Standard Webhooks 1.0 says.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { RingfenceError } from './error.ts'
import { invalid } from './settings.ts'

export interface WebhookDelivery {
  /** The body as it arrived: parsed and written again, it has another signature. */
  readonly body: string | Uint8Array
  /** Of the request: `request.headers` of Node, or `Headers` of fetch. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** `whsec_…`, which `ringfence webhooks add` showed. */
  readonly secret: string
  /** Epoch milliseconds; default: the clock of this machine. */
  readonly now?: number | undefined
}

/** `type` says which members `data` has: docs/reference/events.md. */
export interface WebhookEvent {
  /** The same when the event is delivered again. */
  readonly id: string
  readonly type: string
  /** RFC 3339. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

const toleranceSeconds = 5 * 60

/**
 * The event of a delivery. A receiver stores its `id` and ignores what it has seen: a delivery may arrive twice.
 *
 * @throws RingfenceError `invalid_webhook` when the signature is wrong, missing, or older than five minutes: answer with 400
 */
export function verifyWebhook({ body, headers, secret, now = Date.now() }: WebhookDelivery): WebhookEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw invalid('body must be the text or bytes of the request, before JSON.parse')
  if (typeof secret !== 'string' || !/^whsec_[\w+/-]+=*$/.test(secret))
    throw invalid('secret must be that of the webhook, whsec_…: ringfence webhooks add shows it')
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => header(headers, `webhook-${name}`))
  if (!id || !timestamp || !signatures) throw refused('it has no signature: webhook-id, -timestamp, -signature')
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest()
  if (!signatures.split(' ').some((each) => isSame(each, expected)))
    throw refused('its signature is of another secret, or the body is not as it arrived')
  const ageSeconds = now / 1000 - Number(timestamp)
  if (!(ageSeconds <= toleranceSeconds))
    throw refused(
      `it was signed ${Math.round(ageSeconds)} s ago: it is a replay, or the clock of this machine is wrong`,
    )
  if (ageSeconds < -toleranceSeconds)
    throw refused(
      `it was signed ${Math.round(-ageSeconds)} s in the future: the clock of this machine or of Ringfence is wrong`,
    )
  return JSON.parse(text) as WebhookEvent
}

function header(headers: WebhookDelivery['headers'], name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : undefined
}

function isSame(written: string, expected: Buffer): boolean {
  const [, text = ''] = /^v1,(.+)$/.exec(written) ?? []
  const signature = Buffer.from(text, 'base64')
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

const refused = (why: string) => new RingfenceError('invalid_webhook', `Not a valid delivery: ${why}`)
