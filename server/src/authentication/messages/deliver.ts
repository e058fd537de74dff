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
 * the reservation is given back. Does not retry, because the message may have arrived.
 * What the telecom gate decided does not show: a message that it holds back takes as long as others.
 */
export async function deliver(
  { channel, content, otp, lifetimeSeconds, reservation, requestId }: Delivery,
  platform: Platform,
): Promise<void> {
  const { recipient, appName, returnCode, locale, host, heldBack, shownAs } = content
  const { recentDeliveries } = platform
  if (heldBack) {
    if (await recentDeliveries.imitate(shownAs?.channelName ?? channel.name)) return
    await reservation.giveBack()
    throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
  }
  const message = compose({
    to: recipient!.value,
    app: appName,
    ...(otp === undefined ? { link: `${platform.authAddress()}${magicLinkPath}?code=${returnCode}` } : { otp }),
    lifetimeSeconds,
    locale,
    host,
  })
  const startedAt = performance.now()
  const count = (outcome: 'ok' | ChannelFailed['reason']) => {
    const ms = performance.now() - startedAt
    recentDeliveries.note(channel.name, ms, outcome === 'ok')
    platform.metrics.observe('upstreamCall', ms / 1000, channel.name, 'message', outcome)
  }
  const atLeast = shownAs && recentDeliveries.imitate(shownAs.channelName)
  try {
    // Not the caller's signal: if the connection breaks, the person still gets the message and can
    // continue.
    await channel.deliver(message, AbortSignal.timeout(platform.settings.deliveryTimeoutMs))
    count('ok')
    await atLeast
  } catch (error) {
    const failure = error instanceof ChannelFailed ? error : undefined
    const reason = failure?.reason ?? 'unreachable'
    count(reason)
    // Only our own text: an error of a library may contain the number or the message.
    const cause = failure?.message ?? (error as Error).name
    platform.log.warn({ channel: channel.name, message: message.id, requestId, reason, cause }, 'message not delivered')
    await reservation.giveBack(reason === 'timeout')
    throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
  }
}
