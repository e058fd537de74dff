// How does an e-mail get out? By SMTP to your mail server (RFC 5321), with nodemailer.

import nodemailer from 'nodemailer'
import Type, { type Static } from 'typebox'
import { SecretReference } from '../../config/secret-reference.ts'
import { before } from '../../upstream/deadline.ts'
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
      Type.Integer({ minimum: 1, maximum: 65_535, description: '465 for tls: implicit, 587 else, unless told' }),
    ),
    tls: Type.Optional(
      Type.Enum(['implicit', 'starttls', 'none'], {
        default: 'starttls',
        description: 'TLS from the first byte, after STARTTLS (refused without), or none: on this machine only',
      }),
    ),
    ca: Type.Optional({
      ...SecretReference,
      description: 'PEM of the authorities to trust instead of the well-known ones',
    }),
    user: Type.Optional(Type.String({ minLength: 1, description: 'where the server asks for one' })),
    password: Type.Optional({ ...SecretReference, description: 'its password' }),
    from: Type.String({ pattern: '^[^\\r\\n]*@[^\\r\\n]+$', description: 'Shop <sign-in@shop.example>' }),
    connections: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: defaults.connections,
        description: 'kept open at once, at most',
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 60_000,
        default: defaults.timeoutMs,
        description: 'for connecting, for the greeting, and for each silence of the server, in ms',
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
      throw new Error('user and password belong together: give both')
    const loopback = /^(localhost|127(\.\d+){3}|::1)$/.test(host)
    if (tls === 'none' && !loopback) throw new Error('tls: none is for a server on this machine only')
    const transport = nodemailer.createTransport({
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
      // Nothing but what is in the message itself may be read or fetched for it.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return {
      form: 'message',
      name,
      method: config.method ?? defaults.method,
      recipient: 'EMAIL',
      async deliver(message, deadline) {
        const own = textOf(config, message)
        const sent = transport.sendMail({
          from,
          to: { name: '', address: message.to },
          subject: message.subject,
          text: own,
          ...(own === message.text && { html: message.html }),
          messageId: `<${message.id}@${domainOf(from)}>`,
          headers: { 'auto-submitted': 'auto-generated' },
        })
        try {
          const { rejected = [] } = await before(deadline, sent, deliveryTooLate)
          if (rejected.length > 0) throw new DeliveryFailed('rejected', 'the server refused the recipient')
        } catch (error) {
          throw error instanceof DeliveryFailed ? error : failureOf(error as SmtpError)
        }
        log.info({ channel: name, message: message.id }, 'message taken over')
      },
      close: async () => transport.close(),
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

/** The words of the server are not told: they may repeat the address. */
function failureOf({ code = 'unknown', responseCode }: SmtpError): DeliveryFailed {
  const words = `${code}${responseCode === undefined ? '' : `, answered ${responseCode}`}`
  // 4yz asks to come back later (RFC 5321, 4.2.1).
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500)
    return new DeliveryFailed('overloaded', words)
  return new DeliveryFailed(reasons[code] ?? (responseCode === undefined ? 'unreachable' : 'rejected'), words)
}

const domainOf = (from: string) => from.slice(from.lastIndexOf('@') + 1).replace(/>\s*$/, '')

export type SmtpConfig = Static<typeof Config>
