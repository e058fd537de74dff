// How is a message handed to the gateway? Once. If the gateway does not accept it, the reservation is given back.

import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { ChannelFailed, type MessageChannel } from '../channel.ts'
import type { SignInContent } from '../transaction.ts'
import type { Reservation } from './limits.ts'
import { compose } from './message.ts'

/** Path of the magic link page. */
export const magicLinkPath = '/auth/v1/magic-link'

export interface Delivery {
  channel: MessageChannel
  content: SignInContent
  /** Absent for a magic link. */
  otp: string | undefined
  lifetimeSeconds: number
  reservation: Reservation
  requestId: string
}

/**
 * Resolves when the gateway has accepted the message. Otherwise refuses with `deliveryFailed`, and
 * the message is not counted. Does not retry, because the message may have arrived.
 */
export async function deliver(
  { channel, content, otp, lifetimeSeconds, reservation, requestId }: Delivery,
  platform: Platform,
): Promise<void> {
  const { recipient, appName, returnCode, locale, host } = content
  const message = compose({
    to: recipient!.value,
    app: appName,
    ...(otp === undefined ? { link: `${platform.authAddress()}${magicLinkPath}?code=${returnCode}` } : { otp }),
    lifetimeSeconds,
    locale,
    host,
  })
  const startedAt = performance.now()
  const count = (outcome: 'ok' | ChannelFailed['reason']) =>
    platform.metrics.upstreamCall(channel.name, 'message', outcome, (performance.now() - startedAt) / 1000)
  try {
    // Not the caller's signal: if the connection breaks, the person still gets the message and can
    // continue.
    await channel.deliver(message, AbortSignal.timeout(platform.settings.deliveryTimeoutMs))
    count('ok')
  } catch (error) {
    const failure = error instanceof ChannelFailed ? error : undefined
    const reason = failure?.reason ?? 'unreachable'
    count(reason)
    // Only our own text: an error of a library may contain the number or the message.
    const cause = failure?.message ?? (error as Error).name
    platform.log.warn({ channel: channel.name, message: message.id, requestId, reason, cause }, 'message not delivered')
    await reservation.giveBack()
    throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
  }
}
