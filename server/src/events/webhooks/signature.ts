// How does a receiver know that a delivery is ours? Three headers as Standard Webhooks 1.0 says.

import { createHmac } from 'node:crypto'
import type { WebhookSecret } from './webhook.ts'

/**
 * `webhook-signature` has one signature for each secret that is still valid, so that a receiver can change its secret at any time.
 * @param id of the event, the same in every attempt
 * @param now epoch milliseconds; receivers refuse what is older than some minutes
 */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly WebhookSecret[],
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const valid = secrets.filter(({ validUntil }) => validUntil === undefined || now < validUntil)
  const signatures = valid.map(({ secret }) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
