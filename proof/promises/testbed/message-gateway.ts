// Which gateway delivers the messages of sign-ins? A server in this process, which outlives the services that are killed.

import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../../server/src/core/config/config.ts'
import { bodyOf } from '../../../server/src/testing/body-of.ts'
import type { RunOptions } from '../promise.ts'
import { listening } from './local-server.ts'

/** Limits on messages high enough for every program, and codes that stay valid for a whole run. */
export const unlimitedMessages = {
  messagesPerRecipientHour: 1000,
  messagesPerRecipientDay: 10_000,
  messagesPerAddressHour: 1_000_000,
  messagesPerAppHour: 100_000_000,
  newNumbersPerRangeHour: 10_000,
  newNumbersPerCountryHour: 100_000_000,
  otpLifetimeSeconds: 3600,
  magicLinkLifetimeSeconds: 86_400,
}

export interface MessageGateway {
  /** The configuration of the two channels that use it: text messages and emails. */
  readonly channels: Config['channels']
  /** The OTP of the latest message to this phone number. */
  otpFor(phoneNumber: string): string | undefined
  /** The link of the latest email to this address. */
  linkFor(email: string): URL | undefined
}

/** A gateway that accepts every message, after `delayMs`. It closes with the run. */
export async function startMessageGateway(
  run: Pick<RunOptions, 'after'>,
  { delayMs = 0 }: { delayMs?: number } = {},
): Promise<MessageGateway> {
  const latest = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const message = JSON.parse(await bodyOf(request)) as { to: string; text: string }
    latest.set(message.to, message.text)
    if (delayMs > 0) await wait(delayMs)
    response.writeHead(202).end()
  })
  const url = await listening(server, run)
  const channel = (method: string, recipient: 'MOBILE' | 'EMAIL') => ({
    type: 'http-gateway',
    method,
    recipient,
    url: `${url}/messages`,
    json: { to: '{to}', text: '{text}' },
  })
  return {
    channels: { sms: channel('SMS', 'MOBILE'), mail: channel('EMAIL', 'EMAIL') },
    otpFor: (phoneNumber) => /^(\d{4,10})\b/.exec(latest.get(phoneNumber) ?? '')?.[1],
    linkFor: (email) => {
      const link = /https?:\S+/.exec(latest.get(email) ?? '')?.[0]
      return link === undefined ? undefined : new URL(link)
    },
  }
}
