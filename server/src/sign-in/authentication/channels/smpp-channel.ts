// How is an SMS sent with SMPP 3.4? In parts that fit, over one bind that stays open.

import { randomInt } from 'node:crypto'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import type { Pdu } from 'smpp'
import { type ChannelFailure, DeliveryFailed, type MessageChannel } from '../channel.ts'
import { textOf } from './message-settings.ts'
import { type SmppLinkOptions, smppLink, statusName } from './smpp-link.ts'
import { type DataCoding, partHeader, smsParts } from './sms-parts.ts'

/** The settings with their defaults, and secrets in place of their references. */
export interface SmppOptions extends Omit<SmppLinkOptions, 'onReceipt'> {
  readonly from: string
  readonly receipts: boolean
  readonly window: number
  readonly waiting: number
  readonly otpText?: string
  readonly linkText?: string
}

/** Binds when the first message is sent. */
export function smppChannel(options: SmppOptions): Required<Pick<MessageChannel, 'deliver' | 'close'>> {
  const { name, from, receipts, log } = options
  const link = smppLink({
    ...options,
    onReceipt: (pdu) => {
      const receipt = receiptOf(pdu)
      if (receipt) log.info({ channel: name, ...receipt }, 'delivery receipt')
    },
  })
  const window = bulkhead(options.window, options.waiting)
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
    async deliver(message, deadline) {
      try {
        const smscIds: string[] = []
        // One after the other: after a refused part, the others would cost money and not be
        // readable.
        for (const part of partsOf(textOf(options, message))) smscIds.push(await submit(part, message.to, deadline))
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
