// How does Ringfence ask Telesign Phone ID? An add-on for each question, with a record of the consent.

import { type Consent, NotStated, type Window } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import type { Inquiry } from '../../inquiry.ts'
import { CheckUnsupported, type Connector, type ConnectorKind } from '../connector.ts'
import { included, lookUpApi, vendorConnector } from './look-up-api.ts'
import { basic, lookUpProperties, OfferedChecks, Secret } from './look-up-settings.ts'
import { changedAt, Flag, flagOf, notSwappedWithin, operatorIdOf, statedOperator, Text, textOf } from './stated.ts'

const vendorUrl = 'https://rest-ww.telesign.com'
const answered = ['simSwap', 'callForwarding'] as const

const Config = Type.Object(
  {
    type: Type.Literal('telesign', { description: 'the kind of connector' }),
    customerId: Type.String({ minLength: 1, description: 'Customer ID' }),
    apiKey: Secret('API key'),
    consentMethod: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description:
          'the consent record of a request: how your users consented, as Telesign numbers it. Sent while the legal basis of the call is CONSENT or not stated, with its givenAt',
      }),
    ),
    checks: OfferedChecks(answered),
    ...lookUpProperties(vendorUrl),
  },
  { additionalProperties: false },
)

const Risk = Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 20 }), Type.Null()]))
const AddOn = <Fields extends Record<string, typeof Text | typeof Flag | typeof Risk>>(fields: Fields) =>
  Type.Optional(Type.Object({ ...fields, status: Type.Optional(Type.Object({ code: Type.Integer() })) }))
const Response = Type.Object({
  sim_swap: AddOn({ swap_date: Text, swap_time: Text, risk_indicator: Risk }),
  call_forward_detection: AddOn({ call_forward_enabled: Flag, call_forward_type: Text }),
  porting_status: AddOn({ mcc_current: Text, mnc_current: Text, ported: Flag }),
})
type Response = Static<typeof Response>
const compiled = compileOnUse(Response)

/** A risk that says that the SIM was never swapped, or 15 days ago or more. The others have a date. */
const veryLow = '1'
const veryLowHours = 14 * 24

/** Status codes of an add-on. */
const completed = 2800
const notCovered = 2803

export const telesign: ConnectorKind<typeof Config> = {
  type: 'telesign',
  Config,
  create(name, settings, resources): Connector {
    const { customerId, apiKey, consentMethod, checks: offered = answered } = settings
    const { clock, log } = resources
    if (consentMethod === undefined)
      log.warn({ connector: name }, 'consentMethod is not set: Telesign needs a consent record, and gets none')
    const credentials = basic(customerId, resources.readSecret(apiKey))
    const api = lookUpApi(
      { upstream: name, service: 'phoneid', settings, vendorUrl, credentials: () => credentials },
      resources,
    )

    /** Only of a call whose basis is consent, with the time at which the person gave it. A call that states nothing has that of now. */
    function recordOf(stated: Consent | undefined) {
      const reference = stated?.reference !== undefined && { external_id: stated.reference }
      if (consentMethod === undefined || (stated?.legalBasis ?? 'CONSENT') !== 'CONSENT') return { ...reference }
      const timestamp = new Date(stated?.givenAt ?? clock.now()).toISOString()
      return { ...reference, consent: { method: consentMethod, timestamp } }
    }

    const ask = <AddOn extends keyof Response, Answer>(
      addOn: AddOn,
      { digits }: PhoneNumber,
      inquiry: Inquiry,
      read: (found: NonNullable<Response[AddOn]>) => Answer,
    ): Promise<Answer> =>
      api.ask(
        {
          call: `phoneid/${addOn}`,
          path: `/v1/phoneid/${digits}`,
          body: {
            ...recordOf(inquiry.consent),
            addons: { [addOn]: {} },
          },
          Response: compiled,
          read(body, described) {
            const found = body[addOn]
            const code = found?.status?.code
            if (code === notCovered) throw new CheckUnsupported(`${described}, status ${code}`)
            if (!found || (code !== undefined && code !== completed)) {
              throw new UpstreamError('rejected', `${described}, status ${code ?? 'missing'}`)
            }
            return read(found)
          },
        },
        inquiry,
      )

    const all: Connector['checks'] = {
      simSwap: (number, question: Window, inquiry) =>
        ask('sim_swap', number, inquiry, ({ swap_date, swap_time, risk_indicator: risk }) => {
          const [date, time] = [textOf(swap_date), textOf(swap_time)]
          if (date === undefined && String(risk) === veryLow) return notSwappedWithin(veryLowHours, question)
          if (date === undefined) throw new NotStated('no swap_date')
          // Telesign documents no zone.
          return changedAt(time === undefined ? date : `${date}T${time}`, question, clock.now())
        }),
      callForwarding: (number, { conditional }, inquiry) =>
        ask('call_forward_detection', number, inquiry, ({ call_forward_enabled, call_forward_type }) => {
          const enabled = flagOf(call_forward_enabled)
          if (enabled === undefined) throw new NotStated('no call_forward_enabled')
          if (!enabled || conditional) return { active: enabled }
          const type = textOf(call_forward_type)
          if (type === undefined) throw new NotStated('no call_forward_type')
          return { active: type === 'unconditional' }
        }),
    }
    return {
      ...vendorConnector(name, settings, api, included(all, offered)),
      detectsConditionalForwarding: offered.includes('callForwarding'),
      lookUpOperator: (number, inquiry) =>
        ask('porting_status', number, inquiry, ({ mcc_current, mnc_current, ported: stated }) => {
          const operator = operatorIdOf(mcc_current, mnc_current)
          return statedOperator(clock.now(), { operator, ported: flagOf(stated) })
        }),
    }
  },
}
