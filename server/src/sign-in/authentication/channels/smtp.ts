// How is an email sent? With SMTP to your mail server (RFC 5321).

import Type from 'typebox'
import { isLoopbackHost } from '../../../core/address/called-url.ts'
import { SecretReference } from '../../../core/config/secret-reference.ts'
import { before } from '../../../upstream/deadline.ts'
import {
  type ChannelFailure,
  type ChannelKind,
  DeliveryFailed,
  deliveryTooLate,
  type MessageChannel,
} from '../channel.ts'
import { methodProperty, refuseUnknownParts, textOf, textProperties } from './message-settings.ts'

const defaults = { connections: 5, timeoutMs: 8000, method: 'EMAIL' }

const Config = Type.Object(
  {
    type: Type.Literal('smtp', { description: 'the kind of channel' }),
    host: Type.String({ minLength: 1, description: 'the mail server' }),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'default: 465 with tls: implicit, otherwise 587' }),
    ),
    tls: Type.Optional(
      Type.Enum(['implicit', 'starttls', 'none'], {
        default: 'starttls',
        description:
          'implicit: TLS from the first byte. starttls: fails without STARTTLS. none: only for a server on this machine',
      }),
    ),
    ca: Type.Optional({
      ...SecretReference,
      description: 'PEM of the certificate authorities to trust instead of the public ones',
    }),
    user: Type.Optional(Type.String({ minLength: 1, description: 'if the server requires one' })),
    password: Type.Optional({ ...SecretReference, description: 'password of the user' }),
    from: Type.String({ pattern: '^[^\\r\\n]*@[^\\r\\n]+$', description: 'Shop <sign-in@shop.example>' }),
    connections: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: defaults.connections,
        description: 'maximum number of open connections',
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 60_000,
        default: defaults.timeoutMs,
        description: 'for connecting, for the greeting, and for each answer, in ms',
      }),
    ),
    method: methodProperty(defaults.method),
    ...textProperties,
  },
  { additionalProperties: false },
)

export const smtp: ChannelKind<typeof Config> = {
  type: 'smtp',
  Config,
  create(name, config, { readSecret, log }): MessageChannel {
    refuseUnknownParts(config)
    const { host, tls = 'starttls', user, password, ca, from, timeoutMs = defaults.timeoutMs } = config
    if ((user === undefined) !== (password === undefined))
      throw new Error('user and password belong together; give both')
    if (tls === 'none' && !isLoopbackHost(host))
      throw new Error('tls: none is only for a server on this machine; use starttls or implicit')
    const options = {
      pool: true,
      host,
      port: config.port ?? (tls === 'implicit' ? 465 : 587),
      secure: tls === 'implicit',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'none',
      ...(ca && { tls: { ca: readSecret(ca) } }),
      ...(user !== undefined && { auth: { user, pass: readSecret(password!) } }),
      maxConnections: config.connections ?? defaults.connections,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // nodemailer must not read files or fetch URLs for a message.
      disableFileAccess: true,
      disableUrlAccess: true,
    } as const
    // A service without email never loads it.
    const opening = import('nodemailer').then(({ default: nodemailer }) => nodemailer.createTransport(options))
    return {
      form: 'message',
      name,
      method: config.method ?? defaults.method,
      recipient: 'EMAIL',
      async deliver(message, deadline) {
        const text = textOf(config, message)
        const transport = await opening
        const sent = transport.sendMail({
          from,
          to: { name: '', address: message.to },
          subject: message.subject,
          text,
          ...(text === message.text && { html: message.html }),
          messageId: `<${message.id}@${domainOf(from)}>`,
          headers: { 'auto-submitted': 'auto-generated' },
        })
        try {
          const { rejected = [] } = await before(deadline, sent, deliveryTooLate)
          if (rejected.length > 0) throw new DeliveryFailed('rejected', 'the server refused the recipient')
        } catch (error) {
          throw error instanceof DeliveryFailed ? error : failureOf(error as SmtpError)
        }
        log.info({ channel: name, message: message.id }, 'message accepted')
      },
      close: async () => (await opening).close(),
    }
  },
}

interface SmtpError {
  code?: string
  responseCode?: number
}

const reasons: Readonly<Record<string, ChannelFailure>> = {
  ETIMEDOUT: 'timeout',
  EAUTH: 'rejected',
  EENVELOPE: 'rejected',
  EMESSAGE: 'rejected',
  EPROTOCOL: 'format',
}

/** Does not log the server's text, which may contain the email address. */
function failureOf({ code = 'unknown', responseCode }: SmtpError): DeliveryFailed {
  const summary = `${code}${responseCode === undefined ? '' : `, answered ${responseCode}`}`
  // 4yz means: try again later (RFC 5321, 4.2.1).
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500)
    return new DeliveryFailed('overloaded', summary)
  return new DeliveryFailed(reasons[code] ?? (responseCode === undefined ? 'unreachable' : 'rejected'), summary)
}

const domainOf = (from: string) => from.slice(from.lastIndexOf('@') + 1).replace(/>\s*$/, '')
