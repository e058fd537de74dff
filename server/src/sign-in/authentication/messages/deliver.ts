// How is a message handed to the gateway? Once. If the gateway does not accept it, the reservation is given back.

import { Refusal } from '../../../core/errors.ts'
import type { BatchStatement } from '../../../core/storage/database.ts'
import { contentUpdate } from '../../store/sign-ins.ts'
import { ChannelFailed, type MessageChannel } from '../channel.ts'
import type { SignInNeeds } from '../room.ts'
import { delivered, type SignInPlace } from '../sign-in-events.ts'
import { type SignInContent, sealContent } from '../transaction.ts'
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
  idHash: Uint8Array
  requestId: string
  tenantId: string
  place: SignInPlace
  /** When the telecom gate had decided, on the clock of performance.now(). By default now. */
  since?: number
}

/** A message that was accepted: what is stored with the state of the sign-in, and in its content. */
export interface Delivered {
  readonly events: readonly BatchStatement[]
  /** Absent: the code is ours. */
  readonly gatewayCodes?: NonNullable<SignInContent['gatewayCodes']> | undefined
}

/** Refuses with `deliveryFailed`. `events`: to be stored with the state of the sign-in. */
export class DeliveryRefusal extends Refusal {
  readonly events: readonly BatchStatement[]
  constructor(events: readonly BatchStatement[]) {
    super('deliveryFailed', { retryAfterSeconds: 5 })
    this.events = events
  }
}

/**
 * Resolves when the gateway has accepted the message, with what is to be stored then. Otherwise throws a DeliveryRefusal, and
 * the reservation is given back. Does not retry, because the message may have arrived.
 * What the telecom gate decided does not show: a message that it holds back, or sends another way, takes as long as those that the
 * page asked for, and fails as often. The other way goes on in the background.
 */
export async function deliver(delivery: Delivery, needs: SignInNeeds): Promise<Delivered> {
  const { channel, content, reservation, since = performance.now() } = delivery
  const { heldBack, shownAs } = content
  if (!heldBack && !shownAs) return send({ ...delivery, since }, needs)
  if (!heldBack) sendOtherWay({ ...delivery, since, reservation: keptReservation }, needs)
  if (await needs.signIn.recentDeliveries.imitate(shownAs?.channelName ?? channel.name, since)) return { events: [] }
  await reservation.giveBack()
  throw new DeliveryRefusal([])
}

/** What the page asked for decides whether the message counts, not what became of the other way. */
const keptReservation: Reservation = { giveBack: async () => undefined }

/** In the background: the page waits for what it asked for. */
function sendOtherWay(delivery: Delivery & { since: number }, needs: SignInNeeds): void {
  const { idHash, tenantId, content } = delivery
  send(delivery, needs)
    .catch((error): Delivered => {
      if (error instanceof DeliveryRefusal) return { events: error.events }
      throw error
    })
    .then(async ({ events, gatewayCodes }) => {
      const keys = await needs.tenantKeyring.keysOf(tenantId)
      const known = gatewayCodes && [contentUpdate(idHash, sealContent(keys, idHash, { ...content, gatewayCodes }))]
      await needs.database.batch([...events, ...(known ?? [])])
    })
    .catch((error) => needs.log.warn({ err: error }, 'could not record a delivery'))
}

async function send(
  {
    channel,
    content,
    otp,
    lifetimeSeconds,
    reservation,
    requestId,
    tenantId,
    place,
    since,
  }: Delivery & { since: number },
  needs: SignInNeeds,
): Promise<Delivered> {
  const { recipient, appName, returnCode, locale, host } = content
  const message = compose({
    tenantId,
    to: recipient!.value,
    app: appName,
    ...(otp === undefined
      ? { link: `${needs.addresses.auth()}${magicLinkPath}?code=${returnCode}` }
      : { otp: channel.ownCodes?.placeholder ?? otp }),
    lifetimeSeconds,
    locale,
    host,
  })
  const startedAt = performance.now()
  const count = (outcome: 'ok' | ChannelFailed['reason']) => {
    const ms = performance.now() - startedAt
    needs.signIn.recentDeliveries.note(channel.name, performance.now() - since, outcome === 'ok')
    needs.metrics.observe('upstreamCall', ms / 1000, channel.name, 'message', outcome)
  }
  try {
    // Not the caller's signal: if the connection breaks, the person still gets the message and can
    // continue.
    const codeId = await channel.deliver(message, AbortSignal.timeout(needs.settings.deliveryTimeoutMs))
    count('ok')
    const events = await needs.events.statements(tenantId, [delivered(place)])
    return { events, ...(codeId !== undefined && { gatewayCodes: withCode(content, channel.name, codeId) }) }
  } catch (error) {
    const failure = error instanceof ChannelFailed ? error : undefined
    const reason = failure?.reason ?? 'unreachable'
    count(reason)
    // Only our own text: an error of a library may contain the number or the message.
    const cause = failure?.message ?? (error as Error).name
    needs.log.warn({ channel: channel.name, message: message.id, requestId, reason, cause }, 'message not delivered')
    await reservation.giveBack(reason === 'timeout')
    throw new DeliveryRefusal(await needs.events.statements(tenantId, [delivered(place, reason)]))
  }
}

/** The code before is accepted too, as its message may arrive late. */
function withCode({ gatewayCodes }: SignInContent, channel: string, id: string): Delivered['gatewayCodes'] {
  const before = gatewayCodes?.channel === channel ? gatewayCodes.ids.slice(0, 1) : []
  return { channel, ids: [id, ...before] }
}
