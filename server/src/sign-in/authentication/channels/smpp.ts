// How is an SMS sent to the SMSC of an operator or aggregator? With SMPP 3.4; smpp-channel.ts has how.

import Type from 'typebox'
import { SecretReference } from '../../../core/config/secret-reference.ts'
import type { ChannelKind, MessageChannel } from '../channel.ts'
import { methodProperty, refuseUnknownParts, textProperties } from './message-settings.ts'

const defaults = {
  window: 10,
  waiting: 100,
  timeoutMs: 5000,
  enquireLinkMs: 30_000,
  systemType: '',
  receipts: true,
  method: 'SMS',
}

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
    const { tls = false, ca, method = defaults.method } = config
    const options = {
      ...defaults,
      ...config,
      name,
      log,
      port: config.port ?? (tls ? 3550 : 2775),
      tls: tls ? { ...(ca && { ca: readSecret(ca) }) } : undefined,
      password: readSecret(config.password),
    }
    // A service without SMPP never loads it: the library brings 0.5 MB of character sets.
    const opening = import('./smpp-channel.ts').then(({ smppChannel }) => smppChannel(options))
    return {
      form: 'message',
      name,
      method,
      recipient: 'MOBILE',
      deliver: async (message, deadline) => (await opening).deliver(message, deadline),
      close: async () => (await opening).close(),
    }
  },
}
