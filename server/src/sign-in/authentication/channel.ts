// What must a sign-in channel do? To add a kind, write one file and one line in channels/index.ts.

import type { Static, TSchema } from 'typebox'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import type { Outbox } from './messages/outbox.ts'

/** A phone number or an email address. */
export type RecipientType = 'MOBILE' | 'EMAIL'

/** Contains an OTP or a link, so no part of it except `id` may be logged. */
export interface Message {
  /** New for each message. Sent to the gateway, so that its log can be matched with ours. */
  readonly id: string
  /** Whose sign-in it is. Not sent. */
  readonly tenantId: string
  /** Digits with country code, or an email address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The text as HTML, for emails. */
  readonly html: string
  /** Values for a channel that has its own text: app, minutes, and otp or link. */
  readonly parts: Readonly<Record<string, string>>
}

interface ChannelName {
  /** As in the configuration file. */
  readonly name: string
  /** In `method` of a start and in `methods` of an identity: SMS, WHATSAPP, EMAIL, GOOGLE … */
  readonly method: string
}

/** Delivers OTPs and magic links. */
export interface MessageChannel extends ChannelName {
  readonly form: 'message'
  readonly recipient: RecipientType
  /**
   * Resolves when the gateway has accepted the message. Otherwise throws a DeliveryFailed, at
   * `deadline` at the latest. Returns the id of the code, if the gateway makes the codes itself.
   */
  deliver(message: Message, deadline: AbortSignal): Promise<string | undefined>
  /** The gateway makes and compares the codes of messages itself, so there are no links. Absent: the codes are ours. */
  readonly ownCodes?: OwnCodes
  close?(): Promise<void>
}

/** How a gateway compares a code that it made. */
export interface OwnCodes {
  /** Is in the text of a message in place of the code. */
  readonly placeholder: string
  /** Digits of its codes; absent: not known. */
  readonly digits?: number
  /** Is this the code with the id? Throws a ChannelFailed when the gateway does not say, at `deadline` at the latest. */
  validate(codeId: string, otp: string, deadline: AbortSignal): Promise<CodeOutcome>
}

/** `expired`: the gateway accepts it no longer, right or wrong. `usedUp`: too many attempts with this code. */
export type CodeOutcome = 'right' | 'wrong' | 'expired' | 'usedUp'

/** Sends the person to an identity provider (OAUTH). */
export interface RedirectChannel extends ChannelName {
  readonly form: 'redirect'
  /** Where to send the person. Throws a ChannelFailed when the provider cannot be reached. */
  start(request: RedirectRequest, deadline: AbortSignal): Promise<RedirectStart>
  /** Who came back. Throws a ChannelFailed when the provider refuses or does not confirm it. */
  finish(request: RedirectReturn, deadline: AbortSignal): Promise<Proof>
  close?(): Promise<void>
}

export interface RedirectRequest {
  /** The provider returns it unchanged. It identifies the sign-in. */
  readonly state: string
  /** Our URL that the provider redirects the person to. */
  readonly callbackUrl: string
  /** Phone number or email address that the person has already entered. */
  readonly loginHint?: string
  /** BCP 47. */
  readonly locale?: string
}

export interface RedirectStart {
  readonly authorizationUrl: string
  /** What `finish` needs (code verifier, nonce). Stored sealed. */
  readonly secrets: string
}

export interface RedirectReturn {
  /** The return URL, including its query. */
  readonly returnedTo: URL
  readonly state: string
  readonly callbackUrl: string
  readonly secrets: string
}

/** What a person has proved. */
export interface Proof {
  /** At least one. The same verified identity is always the same user. */
  readonly identities: readonly ProvenIdentity[]
  /** The account at the identity provider; absent after a code or a link, or when the provider named none. */
  readonly subject?: ProvenIdentity
  /** Further text claims of the provider, by their OpenID Connect names (name, given_name, family_name …). */
  readonly profile?: Readonly<Record<string, string>>
}

export interface ProvenIdentity {
  readonly identityType: string
  /** MOBILE: digits with country code, no plus sign. EMAIL: in lower case. */
  readonly identityValue: string
  readonly verified: boolean
}

export type Channel = MessageChannel | RedirectChannel

/** A channel failed. The message is for the log, so it contains neither OTP nor recipient. */
export class ChannelFailed extends Error {
  override name = 'ChannelFailed'
  readonly reason: ChannelFailure
  constructor(reason: ChannelFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The gateway did not accept a message. After a timeout it may have accepted it. */
export class DeliveryFailed extends ChannelFailed {
  override name = 'DeliveryFailed'
}

/** For `before` (upstream/deadline.ts): the caller's deadline passed while the channel was still busy. */
export const deliveryTooLate = () => new DeliveryFailed('timeout', 'no answer at the deadline')

/**
 * timeout: no answer in time. unreachable: no connection, it broke, or the other side answered
 * 5xx. rejected: the other side refused. format: its answer does not follow its interface. overloaded: it asks for a pause, or
 * too many messages wait.
 */
export type ChannelFailure = 'timeout' | 'unreachable' | 'rejected' | 'format' | 'overloaded'

/** What a channel may use of the service. */
export interface ChannelResources extends UpstreamResources {
  readonly outbox: Outbox
}

/**
 * One kind of channel: the schema of its entry in the configuration file, and how to create a
 * channel from it.
 */
export interface ChannelKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  /** Throws an error that names the key when the configuration cannot work. Does not connect yet. */
  create(name: string, config: Static<Config>, resources: ChannelResources): Channel
}
