// How is an SMS sent to the SMSC of an operator or aggregator? With SMPP 3.4, over one bind that stays open.

import { randomInt } from 'node:crypto'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import type { Pdu } from 'smpp'
import Type from 'typebox'
import { SecretReference } from '../../config/secret-reference.ts'
import { type ChannelFailure, type ChannelKind, DeliveryFailed, type MessageChannel } from '../channel.ts'
import { methodProperty, refuseUnknownParts, textOf, textProperties } from './message-settings.ts'
import { smppLink, statusName } from './smpp-link.ts'
import { type DataCoding, partHeader, smsParts } from './sms-parts.ts'

const defaults = { window: 10, waiting: 100, timeoutMs: 5000, enquireLinkMs: 30_000, method: 'SMS' }

const Config = Type.Object(
  {
    type: Type.Literal('smpp', { description: 'the kind of channel' }),
    host: Type.String({ minLength: 1, description: 'the SMSC' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'default: 2775, or 3550 with TLS' })),
    tls: Type.Optional(Type.Boolean({ default: false, description: 'use TLS; without it, use a private connection' })),
    ca: Type.Optional({
      ...SecretReference,
      description: 'PEM of the certificate authorities to trust instead of the public ones',
    }),
    systemId: Type.String({
      minLength: 1,
      maxLength: 15,
      description: 'the system id that the SMSC operator gave you',
    }),
    password: { ...SecretReference, description: 'password of the system id; SMPP allows 8 characters' },
    systemType: Type.Optional(Type.String({ maxLength: 12, default: '' })),
    from: Type.String({
      pattern: '^([0-9]{3,20}|[ -~]{1,11})$',
      description: 'sender: a number, a short code, or up to 11 letters if the country allows them',
    }),
    window: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: defaults.window,
        description: 'submit_sm in flight at once',
      }),
    ),
    waiting: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        default: defaults.waiting,
        description: 'how many more can wait',
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 60_000,
        default: defaults.timeoutMs,
        description: 'for the bind and for each answer, in ms',
      }),
    ),
    enquireLinkMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 600_000,
        default: defaults.enquireLinkMs,
        description: 'interval of enquire_link, in ms',
      }),
    ),
    receipts: Type.Optional(Type.Boolean({ default: true, description: 'request delivery receipts and log them' })),
    method: methodProperty(defaults.method),
    ...textProperties,
  },
  { additionalProperties: false },
)

export const smpp: ChannelKind<typeof Config> = {
  type: 'smpp',
  Config,
  create(name, config, { readSecret, log }): MessageChannel {
    refuseUnknownParts(config)
    const { host, tls = false, from, receipts = true } = config
    const link = smppLink({
      name,
      host,
      port: config.port ?? (tls ? 3550 : 2775),
      tls: tls ? { ...(config.ca && { ca: readSecret(config.ca) }) } : undefined,
      systemId: config.systemId,
      password: readSecret(config.password),
      systemType: config.systemType ?? '',
      timeoutMs: config.timeoutMs ?? defaults.timeoutMs,
      enquireLinkMs: config.enquireLinkMs ?? defaults.enquireLinkMs,
      log,
      onReceipt: (pdu) => {
        const receipt = receiptOf(pdu)
        if (receipt) log.info({ channel: name, ...receipt }, 'delivery receipt')
      },
    })
    const window = bulkhead(config.window ?? defaults.window, config.waiting ?? defaults.waiting)
    const fields = {
      ...sourceOf(from),
      source_addr: from,
      dest_addr_ton: 1, // international
      dest_addr_npi: 1, // E.164
      registered_delivery: receipts ? 1 : 0,
    }

    async function submit(part: Part, to: string, deadline: AbortSignal): Promise<string> {
      const short_message = { message: part.text, ...(part.header && { udh: part.header }) }
      const answer = await window.execute(
        () => link.submit({ ...fields, destination_addr: to, data_coding: part.dataCoding, short_message }, deadline),
        deadline,
      )
      if (answer.command_status === 0) return answer.message_id ?? ''
      throw new DeliveryFailed(reasonOf(answer.command_status), statusName(answer.command_status))
    }

    return {
      form: 'message',
      name,
      method: config.method ?? defaults.method,
      recipient: 'MOBILE',
      async deliver(message, deadline) {
        try {
          const smscIds: string[] = []
          // One after the other: after a refused part, the others would cost money and not be
          // readable.
          for (const part of partsOf(textOf(config, message))) smscIds.push(await submit(part, message.to, deadline))
          log.info({ channel: name, message: message.id, smscIds }, 'message accepted')
        } catch (error) {
          if (error instanceof BulkheadRejectedError)
            throw new DeliveryFailed('overloaded', 'too many messages are waiting')
          if (deadline.aborted && !(error instanceof DeliveryFailed))
            throw new DeliveryFailed('timeout', 'the window was full until the deadline')
          throw error
        }
      },
      close: link.close,
    }
  },
}

interface Part {
  text: string
  dataCoding: DataCoding
  header?: Buffer
}

function partsOf(text: string): Part[] {
  const { texts, dataCoding } = smsParts(text)
  const reference = randomInt(256)
  return texts.map((part, i) => ({
    text: part,
    dataCoding,
    ...(texts.length > 1 && { header: partHeader(reference, texts.length, i) }),
  }))
}

/** Alphanumeric, short code, or international number (SMPP 3.4, 5.2.5). */
function sourceOf(from: string) {
  if (!/^\d+$/.test(from)) return { source_addr_ton: 5, source_addr_npi: 0 }
  return from.length <= 6 ? { source_addr_ton: 3, source_addr_npi: 0 } : { source_addr_ton: 1, source_addr_npi: 1 }
}

/** The SMSC asks for a pause: throttled, queue full, or a temporary system error. */
const pauses = ['ESME_RTHROTTLED', 'ESME_RMSGQFUL', 'ESME_RSYSERR']
const reasonOf = (status: number): ChannelFailure => (pauses.includes(statusName(status)) ? 'overloaded' : 'rejected')

/** Only id and state: a receipt repeats the beginning of the text, which is the OTP (SMPP 3.4, appendix B). */
function receiptOf({ esm_class = 0, receipted_message_id, short_message }: Pdu) {
  if ((esm_class & 0x3c) !== 0x04) return undefined
  const text = String(short_message?.message ?? '')
  const field = (key: string) => new RegExp(`\\b${key}:([A-Za-z0-9_-]{1,64})`).exec(text)?.[1]
  return { smscId: receipted_message_id ?? field('id'), state: field('stat'), error: field('err') }
}
