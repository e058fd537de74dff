// What is stored of a webhook? Where it is, and the secrets that sign; sealed under the tenant's key.

import { randomBytes, randomUUID } from 'node:crypto'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { receiverContext } from '../sealed-event.ts'
import type { ReceiverRow } from '../store/receivers.ts'

const prefix = 'wh_'

export interface WebhookSecret {
  /** `whsec_` and base64, as Standard Webhooks writes it. */
  readonly secret: string
  /** Epoch milliseconds; absent for the newest one. */
  readonly validUntil?: number
}

export interface WebhookContent {
  readonly url: string
  readonly description?: string
  /** Newest first; at most two. */
  readonly secrets: readonly WebhookSecret[]
}

/** Other receivers are streams of the configuration, with the name that they have there. */
export const newWebhookId = (): string => `${prefix}${randomUUID().replaceAll('-', '')}`
export const isWebhook = (receiverId: string): boolean => receiverId.startsWith(prefix)

/** 192 random bits, the shortest that Standard Webhooks recommends. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

export const sealWebhook = (
  { tenantId, id }: Pick<ReceiverRow, 'tenantId' | 'id'>,
  content: WebhookContent,
  keys: TenantKeys,
): Uint8Array => keys.seal(JSON.stringify(content), receiverContext(tenantId, id))

export const openWebhook = (
  { tenantId, id, sealed }: Pick<ReceiverRow, 'tenantId' | 'id' | 'sealed'>,
  keys: TenantKeys,
): WebhookContent => JSON.parse(keys.open(sealed, receiverContext(tenantId, id)))
