// Which message will be sent, through which channel and to which recipient? Nothing is counted or sent yet.

import type { SignInStartRequest } from '@ringfence/contract'
import { Refusal } from '../../../core/errors.ts'
import type { MessageChannel } from '../channel.ts'
import { readRedirectUrl } from '../redirect-url.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import type { Recipient } from '../transaction.ts'

/** A start with an OTP or a magic link. */
export type MessageStart = Omit<SignInStartRequest, 'channel'> & { channel: 'OTP' | 'MAGIC_LINK' }

/** What a backend chooses that orders an OTP or a magic link through the legacy API. */
export interface BackendOrder {
  /** Where the request has a phone number. */
  readonly numberField: string
  /** Default: a new one. */
  readonly transactionId?: string
  readonly lifetimeSeconds?: number
  /** Only this client may exchange the code of the magic link. */
  readonly codeClient?: string
}

export interface MessagePlan {
  readonly request: MessageStart
  readonly channel: MessageChannel
  readonly recipient: Recipient
  /** Where a magic link leads back to: also one that the telecom gate sends in place of an OTP. Absent: it signs in the device that asked for it. */
  readonly redirectUrl?: string
  /** Absent when an SDK starts the sign-in. */
  readonly order?: BackendOrder
}

/** Refuses with channelUnavailable, redirectUrlRefused. */
export function planMessage(
  request: MessageStart,
  recipient: Recipient,
  context: SignInContext,
  { signIn: { channels } }: Pick<SignInNeeds, 'signIn'>,
  order?: BackendOrder,
): MessagePlan {
  const channel = channels.forMessages(
    context,
    recipient.type,
    request.method,
    request.channel === 'OTP' ? 'code' : 'link',
  )
  const plan = { request, channel, recipient, ...(order && { order }) }
  if (request.redirectUrl !== undefined) return { ...plan, redirectUrl: readRedirectUrl(request.redirectUrl, context) }
  if (request.channel === 'MAGIC_LINK' && !context.settings.signInElsewhere) throw new Refusal('redirectUrlRefused')
  return plan
}
