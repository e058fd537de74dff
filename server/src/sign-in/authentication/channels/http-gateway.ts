// How is a message sent through an HTTP gateway? With a request template, because each provider has its own API.

import { bulkhead } from 'cockatiel'
import Type, { type Static } from 'typebox'
import { readUrl } from '../../../core/address/called-url.ts'
import { type ReadSecret, SecretReference } from '../../../core/config/secret-reference.ts'
import { before } from '../../../upstream/deadline.ts'
import { exchangesWith } from '../../../upstream/exchange.ts'
import { UpstreamFault } from '../../../upstream/upstream-error.ts'
import {
  type ChannelFailure,
  type ChannelKind,
  DeliveryFailed,
  deliveryTooLate,
  type Message,
  type MessageChannel,
} from '../channel.ts'
import { fill } from '../messages/message.ts'
import { methodProperty, refuseUnknownParts, textOf, textProperties } from './message-settings.ts'

const defaults = { method: 'SMS', connections: 50, connectTimeoutMs: 3000, statuses: [200, 201, 202] }

const strict = { additionalProperties: false }
const Template = Type.Record(Type.String(), Type.Unknown())

const Config = Type.Object(
  {
    type: Type.Literal('http-gateway', { description: 'the kind of channel' }),
    method: methodProperty(defaults.method),
    recipient: Type.Optional(
      Type.Enum(['MOBILE', 'EMAIL'], {
        default: 'MOBILE',
        description: 'what it delivers to: phone numbers or email addresses',
      }),
    ),
    url: Type.String({
      pattern: '^https?://[^#]+$',
      description: 'URL that messages are posted to',
    }),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9-]+$' }),
        Type.Union([
          Type.String({ pattern: '^[^\\r\\n]*$' }),
          Type.Object(
            {
              secret: SecretReference,
              prefix: Type.Optional(
                Type.String({ pattern: '^[ -~]*$', description: 'put before the secret: "Bearer "' }),
              ),
            },
            strict,
          ),
        ]),
        { description: 'a text, or { secret: { env: NAME }, prefix: "Bearer " }' },
      ),
    ),
    basic: Type.Optional(
      Type.Object(
        {
          user: Type.String({ minLength: 1, description: 'the user name that the gateway gave you' }),
          password: SecretReference,
        },
        { ...strict, description: 'HTTP Basic' },
      ),
    ),
    json: Type.Optional({
      ...Template,
      description:
        'body as JSON; placeholders in its texts: {to} (digits), {text}, {id}, {subject}, {otp}, {link}, {app}, {minutes}',
    }),
    form: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'body as a form; give either json or form' }),
    ),
    expect: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(
            Type.Array(Type.Integer({ minimum: 200, maximum: 299 }), {
              minItems: 1,
              default: defaults.statuses,
              description: 'statuses that mean: accepted',
            }),
          ),
          field: Type.Optional(
            Type.String({
              pattern: '^[^.]+(\\.[^.]+)*$',
              description: 'path of a field in the JSON answer: messages.0.status',
            }),
          ),
          values: Type.Optional(
            Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
              minItems: 1,
              description: 'values of the field that mean: accepted. Default: any value',
            }),
          ),
        },
        { ...strict, description: 'which answers mean that the message was accepted' },
      ),
    ),
    concurrentCalls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: defaults.connections,
        description: 'the largest number of messages that are sent at the same time; each uses one connection',
      }),
    ),
    ...textProperties,
  },
  strict,
)
type Config = Static<typeof Config>

export const httpGateway: ChannelKind<typeof Config> = {
  type: 'http-gateway',
  Config,
  create(name, config, { readSecret, log }): MessageChannel {
    refuseUnknownParts(config)
    const url = readUrl('url', config.url)
    if ((config.json === undefined) === (config.form === undefined)) throw new Error('give either json or form')
    const headers = headersOf(config, readSecret)
    const exchanges = exchangesWith({
      baseUrl: new URL(url.origin),
      connectTimeoutMs: defaults.connectTimeoutMs,
    })
    const slots = bulkhead(config.concurrentCalls ?? defaults.connections, Number.POSITIVE_INFINITY)
    return {
      form: 'message',
      name,
      method: config.method ?? defaults.method,
      recipient: config.recipient ?? 'MOBILE',
      async deliver(message, deadline) {
        const request = {
          call: name,
          method: 'POST',
          path: url.pathname + url.search,
          headers,
          body: bodyOf(config, message),
        } as const
        const exchanged = slots.execute(() => exchanges.exchange(request, { deadline }), deadline)
        const { status, text } = await before(deadline, exchanged, deliveryTooLate).catch((error) => {
          throw error instanceof UpstreamFault ? new DeliveryFailed(reasonOf(error), error.message) : error
        })
        confirm(config, status, text)
        log.info({ channel: name, message: message.id }, 'message accepted')
      },
      close: exchanges.close,
    }
  },
}

const reasonOf = ({ reason }: UpstreamFault) => (reason === 'status' ? 'rejected' : reason)

function headersOf(config: Config, readSecret: ReadSecret): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': config.json ? 'application/json' : 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  for (const [name, value] of Object.entries(config.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : (value.prefix ?? '') + readSecret(value.secret)
  }
  if (config.basic) {
    const { user, password } = config.basic
    headers.authorization = `Basic ${Buffer.from(`${user}:${readSecret(password)}`).toString('base64')}`
  }
  return headers
}

function bodyOf(config: Config, message: Message): string {
  const { id, to, subject, parts } = message
  const values = { ...parts, id, to, subject, text: textOf(config, message) }
  if (config.json) return JSON.stringify(filled(config.json, values))
  return new URLSearchParams(Object.entries(config.form!).map(([name, text]) => [name, fill(text, values)])).toString()
}

/** Fills the texts of the template before it is serialized, so that a value cannot add JSON. */
function filled(template: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof template === 'string') return fill(template, values)
  if (Array.isArray(template)) return template.map((item) => filled(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value, values)]))
}

/** Does not log the gateway's answer, which may contain the number. */
function confirm({ expect = {} }: Config, status: number, text: string): void {
  const { status: statuses = defaults.statuses, field, values } = expect
  if (!statuses.includes(status)) {
    throw new DeliveryFailed(reasonOfStatus(status), `answered ${status}`)
  }
  if (field === undefined) return
  const value = fieldOf(text, field)
  if (value === undefined || (values && !values.some((accepted) => accepted === value))) {
    throw new DeliveryFailed('rejected', `answered ${status}, and ${field} is not as expected`)
  }
}

/** 5xx says nothing about this message: the alert on failing upstreams must count it. */
function reasonOfStatus(status: number): ChannelFailure {
  if (status === 429 || status === 503) return 'overloaded'
  return status >= 500 ? 'unreachable' : 'rejected'
}

function fieldOf(text: string, path: string): unknown {
  try {
    return path
      .split('.')
      .reduce<unknown>(
        (value, key) => Object.entries(value ?? {}).find(([name]) => name === key)?.[1],
        JSON.parse(text),
      )
  } catch {
    return undefined
  }
}
