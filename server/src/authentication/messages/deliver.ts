// How does a message of a sign-in get out? Counted, sent once, and given back when it was not taken over.

import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { ChannelFailed, type MessageChannel } from '../channel.ts'
import type { SignInContent } from '../transaction.ts'
import type { Reservation } from './limits.ts'
import { compose } from './message.ts'

/** The page of a magic link; the sign-in's code follows. */
export const magicLinkPath = '/auth/v1/magic-link'

export interface Delivery {
  channel: MessageChannel
  content: SignInContent
  /** Of a message with an OTP; else it holds the link. */
  otp: string | undefined
  lifetimeSeconds: number
  reservation: Reservation
  requestId: string
}

/**
 * Answers when the next hop has the message. Refuses with `deliveryFailed` when it has not, or does not say so in time; then
 * nothing is counted as sent. It is never sent a second time by itself: it may have arrived.
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
    // Not the asker's signal: a person whose connection breaks still gets the message, and finds the sign-in again.
    await channel.deliver(message, AbortSignal.timeout(platform.settings.deliveryTimeoutMs))
    count('ok')
  } catch (error) {
    const failure = error instanceof ChannelFailed ? error : undefined
    count(failure?.reason ?? 'unreachable')
    // Only words of our own: what a library says may repeat number or text.
    const cause = failure?.message ?? (error as Error).name
    platform.log.warn({ channel: channel.name, message: message.id, requestId, cause }, 'message not delivered')
    await reservation.giveBack()
    throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
  }
}
