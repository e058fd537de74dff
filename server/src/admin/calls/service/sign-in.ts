// /admin/v1/sign-in-channels…: how sign-in is set up, how it goes, the development outbox, and a test of a channel.

import { randomUUID } from 'node:crypto'
import type { NoFields, OutboxMessages, SignInSetUp, TestChannelRequest, TestedChannel } from '@ringfence/contract'
import { listApps } from '../../../apps/stored-apps.ts'
import type { Core } from '../../../core/core.ts'
import { Refusal } from '../../../core/errors.ts'
import { ChannelFailed, deliveryTooLate, type MessageChannel } from '../../../sign-in/authentication/channel.ts'
import { countTest, messagesOfApp, mostOfEach } from '../../../sign-in/authentication/messages/limits.ts'
import { readRecipient } from '../../../sign-in/authentication/messages/recipient.ts'
import { shownMessages } from '../../../sign-in/authentication/messages/shown-messages.ts'
import { before } from '../../../upstream/deadline.ts'
import type { ActorCall } from '../../call.ts'
import type { AdminNeeds } from '../../room.ts'

export async function adminReadSignIn(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<SignInSetUp> {
  const {
    signIn: { channels, outbox },
    settings,
    database,
  } = needs
  const live = (await listApps(database, tenantId)).filter(({ disabledAt }) => disabledAt === null)
  return {
    channels: channels.all().map(({ channel, type }) => ({
      ...{ name: channel.name, type, method: channel.method, form: channel.form, sends: type !== 'outbox' },
      ...(channel.form === 'message' && { recipient: channel.recipient }),
    })),
    limits: mostOfEach(settings),
    apps: await Promise.all(
      live.map(async ({ id, name }) => ({
        ...{ appId: id, name },
        sentThisHour: await messagesOfApp({ tenantId, appId: id }, needs),
        mostPerHour: settings.messagesPerAppHour,
      })),
    ),
    outbox: outbox.isShown() ? 'open' : 'closed',
  }
}

/** Only messages of the tenant. Refuses with `outboxClosed` unless the service is a sandbox. */
export async function adminReadOutbox(
  _: NoFields,
  { actor }: ActorCall,
  { signIn: { outbox } }: AdminNeeds,
): Promise<OutboxMessages> {
  return shownMessages(outbox, actor.tenantId)
}

const mostTestsPerHour = 20

/** Refuses with `channelNotFound`, those of `readRecipient`, and `limitReached`. */
export async function adminTestChannel(
  { channel: name, to }: TestChannelRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<TestedChannel> {
  const channel = needs.signIn.channels.named(name)
  if (channel?.form !== 'message') throw new Refusal('channelNotFound')
  const { value } = readRecipient({ type: channel.recipient, value: to }, {}, 'to')
  // The count is the write with which the audit line commits, so it comes before the message leaves.
  if ((await countTest(tenantId, needs)) > mostTestsPerHour)
    throw new Refusal('limitReached', { mistake: `${mostTestsPerHour} tests an hour; wait for the next one` })
  return send(channel, { tenantId, to: value }, needs)
}

async function send(
  channel: MessageChannel,
  { tenantId, to }: { readonly tenantId: string; readonly to: string },
  { settings, log }: Pick<Core, 'settings' | 'log'>,
): Promise<TestedChannel> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  const text = 'This is a test message of Ringfence. It has no code; you need to do nothing.'
  const message = {
    id: randomUUID(),
    ...{ tenantId, to },
    subject: 'Test message',
    text,
    html: `<p>${text}</p>`,
    parts: { app: 'Ringfence', minutes: '0', otp: 'TEST' },
  }
  const deadline = AbortSignal.timeout(settings.deliveryTimeoutMs)
  try {
    await before(deadline, channel.deliver(message, deadline), deliveryTooLate)
    return { accepted: true, durationMs: durationMs() }
  } catch (error) {
    log.warn({ err: error, channel: channel.name }, 'a test message was not accepted')
    if (!(error instanceof ChannelFailed)) throw error
    return { accepted: false, reason: error.reason, durationMs: durationMs() }
  }
}
