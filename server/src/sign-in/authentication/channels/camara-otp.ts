// How does a mobile operator send and compare codes? CAMARA one-time-password-sms 1.1: it makes the code, and knows whose phone it is.

import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import { describeResponse, errorCodeOf, Guard, type UpstreamResponse } from '../../../upstream/guard.ts'
import { sendWithToken, TokenClient } from '../../../upstream/oauth-token.ts'
import { TokenSettings } from '../../../upstream/token-request.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { ApiPath, apiUrl, BaseUrl, limitProperties, limitsOf } from '../../../upstream/upstream-settings.ts'
import {
  ChannelFailed,
  type ChannelFailure,
  type ChannelKind,
  type CodeOutcome,
  DeliveryFailed,
  type Message,
  type MessageChannel,
} from '../channel.ts'
import { methodProperty, refuseUnknownParts, textOf, textProperties } from './message-settings.ts'

const defaults = {
  method: 'SMS',
  path: '/one-time-password-sms/v1',
  scope: 'dpv:FraudPreventionAndDetection one-time-password-sms:send-validate',
}
const placeholder = '{{code}}'
/** CAMARA's limit, with the placeholder in it. */
const longestText = 160

const Config = Type.Object(
  {
    type: Type.Literal('camara-otp', { description: 'the kind of channel' }),
    method: methodProperty(defaults.method),
    baseUrl: BaseUrl(`the part of the operator's URL before ${defaults.path}`),
    path: ApiPath(defaults.path),
    token: TokenSettings,
    scope: Type.Optional(
      Type.String({ minLength: 1, default: defaults.scope, description: 'the complete scope of token requests' }),
    ),
    otpDigits: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 10,
        description:
          'how many digits the codes of the operator have, for pages that show a box for each. Default: not known',
      }),
    ),
    otpText: textProperties.otpText,
    ...limitProperties,
    sandbox: Type.Optional(
      Type.Boolean({ default: false, description: 'true for a sandbox, where http:// is allowed' }),
    ),
  },
  { additionalProperties: false },
)

const Sent = compileOnUse(Type.Object({ authenticationId: Type.String({ minLength: 1, maxLength: 256 }) }))

/** What an error of validate-code says about the code. Any other one says nothing. */
const outcomes: Readonly<Record<string, CodeOutcome>> = {
  'ONE_TIME_PASSWORD_SMS.INVALID_OTP': 'wrong',
  'ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED': 'expired',
  'ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED': 'usedUp',
  // The operator has forgotten the code.
  NOT_FOUND: 'expired',
}

export const camaraOtp: ChannelKind<typeof Config> = {
  type: 'camara-otp',
  Config,
  create(name, settings, resources): MessageChannel {
    const { baseUrl, path = defaults.path, scope = defaults.scope, sandbox, otpDigits } = settings
    refuseUnknownParts(settings)
    const limits = limitsOf(settings, resources.readSecret)
    const tokens = new TokenClient({ upstream: name, settings: settings.token, limits, sandbox }, resources)
    if (tokens.perNumber) throw new Error('token.grant must be client_credentials: the call names the number')
    const url = apiUrl('baseUrl', baseUrl, path, sandbox)
    const api = new Guard({ upstream: name, service: 'one-time-password-sms', baseUrl: url, ...limits }, resources)

    const post = <Answer>(
      resource: string,
      body: object,
      { id, deadline }: { id: string; deadline: AbortSignal },
      read: (response: UpstreamResponse, described: string) => Answer,
    ): Promise<Answer> => {
      const call = `one-time-password-sms/${resource}`
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'x-correlator': id }
      return sendWithToken(
        api,
        tokens.tokens(scope),
        {
          ...{ call, method: 'POST', path: `/${resource}`, headers, body: JSON.stringify(body), once: true },
          read: (response) => read(response, describeResponse(call, response)),
        },
        deadline,
      )
    }

    return {
      form: 'message',
      name,
      method: settings.method ?? defaults.method,
      recipient: 'MOBILE',
      async deliver(message, deadline) {
        const body = { phoneNumber: `+${message.to}`, message: textFor(settings, message) }
        const sent = post('send-code', body, { id: message.id, deadline }, (response, described) => {
          if (response.status >= 300) throw new UpstreamError('rejected', described)
          if (!Sent.Check(response.body)) throw new UpstreamError('format', `${described} without an authenticationId`)
          return response.body.authenticationId
        })
        const id = await sent.catch((error) => {
          throw error instanceof UpstreamError ? new DeliveryFailed(reasonOf(error), error.message) : error
        })
        resources.log.info({ channel: name, message: message.id }, 'message accepted')
        return id
      },
      ownCodes: {
        placeholder,
        ...(otpDigits !== undefined && { digits: otpDigits }),
        async validate(authenticationId, otp, deadline): Promise<CodeOutcome> {
          const body = { authenticationId, code: otp }
          const compared = post(
            'validate-code',
            body,
            { id: randomUUID(), deadline },
            ({ status, body }, described) => {
              const outcome = status === 204 ? 'right' : status >= 400 ? outcomes[errorCodeOf(body) ?? ''] : undefined
              if (outcome === undefined) throw new UpstreamError('rejected', described)
              return outcome
            },
          )
          return compared.catch((error) => {
            throw error instanceof UpstreamError ? new ChannelFailed(reasonOf(error), error.message) : error
          })
        },
      },
      async close() {
        await Promise.all([tokens.close(), api.close()])
      },
    }
  },
}

/** 3xx and 5xx say nothing about this message: the alert on failing upstreams must count them. */
const reasonOf = ({ reason }: UpstreamError): ChannelFailure => (reason === 'status' ? 'unreachable' : reason)

/** The longest text that the operator takes: with the line for browsers, without it, or the code alone. */
function textFor(settings: Static<typeof Config>, message: Message): string {
  const { otpText } = settings
  const text = textOf(otpText === undefined ? {} : { otpText }, message)
  const withoutOrigin = text.split('\n\n@')[0]!
  return [text, withoutOrigin].find((each) => each.length <= longestText) ?? placeholder
}
