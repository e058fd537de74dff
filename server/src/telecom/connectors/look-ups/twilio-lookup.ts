// How does Ringfence ask Twilio Lookup v2? A data package for each question; its errors arrive inside a 200.

import { NotStated, type Window } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import type { Inquiry } from '../../inquiry.ts'
import { CheckUnsupported, type Connector, type ConnectorKind } from '../connector.ts'
import { included, lookUpApi, vendorConnector } from './look-up-api.ts'
import { basic, lookUpProperties, OfferedChecks, Secret } from './look-up-settings.ts'
import {
  changedAt,
  Flag,
  flagForWindow,
  flagOf,
  hoursOf,
  operatorIdOf,
  statedOperator,
  Text,
  textOf,
} from './stated.ts'

const vendorUrl = 'https://lookups.twilio.com'
const answered = ['simSwap', 'callForwarding'] as const

const Config = Type.Object(
  {
    type: Type.Literal('twilio-lookup', { description: 'the kind of connector' }),
    accountSid: Type.String({ minLength: 1, description: 'Account SID, or the SID of an API key' }),
    authToken: Secret('auth token of the account, or the secret of the API key'),
    checks: OfferedChecks(answered),
    ...lookUpProperties(vendorUrl),
  },
  { additionalProperties: false },
)

const errorCode = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const Package = <Fields extends Record<string, typeof Text | typeof Flag>>(fields: Fields) =>
  Type.Optional(Type.Union([Type.Object({ ...fields, error_code: errorCode }), Type.Null()]))

const LastSwap = Type.Optional(
  Type.Union([Type.Object({ last_sim_swap_date: Text, swapped_period: Text, swapped_in_period: Flag }), Type.Null()]),
)
const Response = Type.Object({
  sim_swap: Type.Optional(Type.Union([Type.Object({ last_sim_swap: LastSwap, error_code: errorCode }), Type.Null()])),
  call_forwarding: Package({ call_forwarding_status: Flag, call_forwarding_enabled: Flag }),
  line_type_intelligence: Package({ type: Text, mobile_country_code: Text, mobile_network_code: Text }),
})
type Response = Static<typeof Response>
const compiled = compileOnUse(Response)

/** Error codes of a package that say "not for this number": no coverage, carrier without the package, not mobile. */
const unsupported = new Set([60008, 60607, 60612])

export const twilioLookup: ConnectorKind<typeof Config> = {
  type: 'twilio-lookup',
  Config,
  create(name, settings, resources): Connector {
    const { accountSid, authToken, checks: offered = answered } = settings
    const credentials = basic(accountSid, resources.readSecret(authToken))
    const api = lookUpApi(
      { upstream: name, service: 'lookup', settings, vendorUrl, credentials: () => credentials },
      resources,
    )

    /** Reads one package. Twilio answers null for a country or carrier that it does not cover. */
    const ask = <Field extends keyof Response, Answer>(
      field: Field,
      { digits }: PhoneNumber,
      inquiry: Inquiry,
      read: (found: NonNullable<Response[Field]>) => Answer,
    ): Promise<Answer> =>
      api.ask(
        {
          call: `lookup/${field}`,
          path: `/v2/PhoneNumbers/%2B${digits}?Fields=${field}`,
          Response: compiled,
          read(body, described) {
            const found: { error_code?: number | null } | null | undefined = body[field]
            if (!found) throw new CheckUnsupported(`${described} without ${field}`)
            const code = found.error_code ?? 0
            if (unsupported.has(code)) throw new CheckUnsupported(`${described}, error ${code}`)
            if (code !== 0) throw new UpstreamError('rejected', `${described}, error ${code}`)
            return read(found as NonNullable<Response[Field]>)
          },
        },
        inquiry,
      )

    const all: Connector['checks'] = {
      simSwap: (number, question: Window, inquiry) =>
        ask('sim_swap', number, inquiry, ({ last_sim_swap: last }) => {
          const date = textOf(last?.last_sim_swap_date)
          if (date !== undefined) return changedAt(date, question, resources.clock.now())
          // The period is fixed when the account is set up, so the flag answers that window only.
          return flagForWindow(flagOf(last?.swapped_in_period), hoursOf(last?.swapped_period), question)
        }),
      async callForwarding(number, { conditional }, inquiry) {
        if (conditional) throw new CheckUnsupported('lookup: it detects unconditional forwarding only')
        return ask('call_forwarding', number, inquiry, ({ call_forwarding_status, call_forwarding_enabled }) => {
          // The reference and the OpenAPI file have the first name, older descriptions the second.
          const active = flagOf(call_forwarding_status) ?? flagOf(call_forwarding_enabled)
          if (active === undefined) throw new NotStated('no call_forwarding_status')
          return { active }
        })
      },
    }
    return {
      ...vendorConnector(name, settings, api, included(all, offered)),
      lookUpOperator: (number, inquiry) =>
        ask('line_type_intelligence', number, inquiry, ({ mobile_country_code, mobile_network_code }) => {
          const operator = operatorIdOf(mobile_country_code, mobile_network_code)
          return statedOperator(resources.clock.now(), { operator })
        }),
    }
  },
}
