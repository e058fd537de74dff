// How does a person prove who they are? The seam of the sign-in channels: one file per kind + one line in channels/index.ts.

import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import type { Clock } from '../clock.ts'
import type { ReadSecret } from '../config/secret-reference.ts'
import type { Outbox } from './messages/outbox.ts'

/** What OTPs and magic links are sent to. */
export type RecipientType = 'MOBILE' | 'EMAIL'

/** What is to be delivered. It holds an OTP or a link, so that nothing of it may be logged. */
export interface Message {
  /** New for each message; what our log and the gateway's have in common. */
  readonly id: string
  /** Digits with country code, or an e-mail address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for a mail program that shows HTML. */
  readonly html: string
  /** What the text is made of, for a channel whose texts are registered with an operator: app, minutes, and otp or link. */
  readonly parts: Readonly<Record<string, string>>
}

interface ChannelName {
  /** As in the configuration file. */
  readonly name: string
  /** In `methods` of an identity, and what a start asks for: SMS, WHATSAPP, EMAIL, GOOGLE … */
  readonly method: string
}

/** Takes a message to a number or an address: for OTPs and magic links. */
export interface MessageChannel extends ChannelName {
  readonly form: 'message'
  readonly recipient: RecipientType
  /** Answers when the next hop has taken the message over. Throws a DeliveryFailed otherwise, at `deadline` at the latest. */
  deliver(message: Message, deadline: AbortSignal): Promise<void>
  close?(): Promise<void>
}

/** Sends the person to somebody who knows them, and learns from their return: OAUTH. */
export interface RedirectChannel extends ChannelName {
  readonly form: 'redirect'
  /** Where to send the person. Throws a ChannelFailed when the provider cannot be asked. */
  begin(request: RedirectRequest, deadline: AbortSignal): Promise<RedirectBegun>
  /** Who came back. Throws a ChannelFailed when the provider does not confirm it, or refused. */
  finish(request: RedirectReturn, deadline: AbortSignal): Promise<Proof>
  close?(): Promise<void>
}

export interface RedirectRequest {
  /** Comes back as it is; says which sign-in it was. */
  readonly state: string
  /** Our own address, where the provider sends the person back. */
  readonly callbackUrl: string
  /** Number or e-mail address that the person already gave. */
  readonly loginHint?: string
  /** BCP 47. */
  readonly locale?: string
}

export interface RedirectBegun {
  readonly authorizationUrl: string
  /** What `finish` needs (code verifier, nonce); kept sealed until then. */
  readonly secrets: string
}

export interface RedirectReturn {
  /** The address that the person came back to, query included. */
  readonly returnedTo: URL
  readonly state: string
  readonly callbackUrl: string
  readonly secrets: string
}

/** What a person has proved. */
export interface Proof {
  /** One at least. The same verified identity is the same user. */
  readonly identities: readonly ProvenIdentity[]
  /** What the provider tells beside it, as OpenID Connect names it (name, given_name, family_name …); texts only. */
  readonly profile?: Readonly<Record<string, string>>
}

export interface ProvenIdentity {
  readonly identityType: string
  /** MOBILE: digits with country code, no plus sign. EMAIL: in lower case. */
  readonly identityValue: string
  readonly verified: boolean
}

export type Channel = MessageChannel | RedirectChannel

/** A channel did not do what was asked of it. The message is for the log: it holds neither OTP nor recipient. */
export class ChannelFailed extends Error {
  override name = 'ChannelFailed'
  readonly reason: ChannelFailure
  constructor(reason: ChannelFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A message was not taken over; where the peer fell silent it is not known whether it was. */
export class DeliveryFailed extends ChannelFailed {
  override name = 'DeliveryFailed'
}

/** For `before` (upstream/deadline.ts): the caller's deadline passed while the channel was still busy. */
export const deliveryTooLate = () => new DeliveryFailed('timeout', 'no answer at the deadline')

/**
 * timeout: no answer in time. unreachable: no connection, or it broke. rejected: the peer refuses what was asked. format:
 * its answer is not what the interface promises. overloaded: it asks for a pause, or too much is under way.
 */
export type ChannelFailure = 'timeout' | 'unreachable' | 'rejected' | 'format' | 'overloaded'

/** What a channel may use of the service. */
export interface ChannelResources {
  readonly clock: Clock
  readonly log: Logger
  readonly readSecret: ReadSecret
  readonly outbox: Outbox
}

/** One kind of channel: the schema of its part of the configuration file, and how to make a channel from it. */
export interface ChannelKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  /** Throws an error that names the key when the configuration cannot work. Connects to nobody yet. */
  create(name: string, config: Static<Config>, resources: ChannelResources): Channel
}
