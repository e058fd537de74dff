// How does Ringfence ask Sinch Number Lookup v2? A feature for each question; each feature has its own error.

import type { Window } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import type { Inquiry } from '../../inquiry.ts'
import { CheckUnsupported, type Connector, type ConnectorKind } from '../connector.ts'
import { included, lookUpApi, vendorConnector } from './look-up-api.ts'
import { basic, lookUpProperties, OfferedChecks, Secret } from './look-up-settings.ts'
import { Flag, flagForWindow, flagOf, operatorIdOf, statedOperator, Text } from './stated.ts'

const vendorUrl = 'https://lookup.api.sinch.com'
const answered = ['simSwap'] as const

const Config = Type.Object(
  {
    type: Type.Literal('sinch', { description: 'the kind of connector' }),
    projectId: Type.String({ pattern: '^[\\w-]{1,64}$', description: 'project ID' }),
    keyId: Type.String({ minLength: 1, description: 'ID of the access key' }),
    keySecret: Secret('secret of the access key'),
    checks: OfferedChecks(answered),
    ...lookUpProperties(vendorUrl),
  },
  { additionalProperties: false },
)

const Problem = Type.Optional(
  Type.Union([Type.Object({ status: Type.Optional(Type.Integer()), title: Text }), Type.Null()]),
)
const Response = Type.Object({
  simSwap: Type.Optional(Type.Union([Type.Object({ swapped: Flag, swapPeriod: Text, error: Problem }), Type.Null()])),
  line: Type.Optional(
    Type.Union([
      Type.Object({ mobileCountryCode: Text, mobileNetworkCode: Text, ported: Flag, error: Problem }),
      Type.Null(),
    ]),
  ),
})
type Response = Static<typeof Response>
const compiled = compileOnUse(Response)

/** "SP24H", "SP7D"; undefined for "SPMAX" and "Undefined". */
function periodHours(period: string | null | undefined): number | undefined {
  const [, count, unit] = /^SP(\d{1,3})([HD])$/.exec(period ?? '') ?? []
  return count === undefined ? undefined : Number(count) * (unit === 'D' ? 24 : 1)
}

export const sinch: ConnectorKind<typeof Config> = {
  type: 'sinch',
  Config,
  create(name, settings, resources): Connector {
    const { projectId, keyId, keySecret, checks: offered = answered } = settings
    const credentials = basic(keyId, resources.readSecret(keySecret))
    const api = lookUpApi(
      { upstream: name, service: 'lookup', settings, vendorUrl, credentials: () => credentials },
      resources,
    )

    const ask = <Part extends keyof Response, Answer>(
      part: Part,
      feature: string,
      { digits }: PhoneNumber,
      inquiry: Inquiry,
      read: (found: NonNullable<Response[Part]>) => Answer,
    ): Promise<Answer> =>
      api.ask(
        {
          call: `lookup/${feature}`,
          path: `/v2/projects/${projectId}/lookups`,
          body: { number: `+${digits}`, features: [feature] },
          Response: compiled,
          read(body, described) {
            const found = body[part]
            if (!found) throw new CheckUnsupported(`${described} without ${feature}`)
            const { error } = found
            if (error) {
              const { status } = error
              if (status === 404 || status === 422 || status === 501) {
                throw new CheckUnsupported(`${described}, ${feature} ${status}`)
              }
              throw new UpstreamError('rejected', `${described}, ${feature} ${status ?? 'without a status'}`)
            }
            return read(found)
          },
        },
        inquiry,
      )

    const all: Connector['checks'] = {
      simSwap: (number, question: Window, inquiry) =>
        ask('simSwap', 'SimSwap', number, inquiry, ({ swapped, swapPeriod }) =>
          flagForWindow(flagOf(swapped), periodHours(swapPeriod), question),
        ),
    }
    return {
      ...vendorConnector(name, settings, api, included(all, offered)),
      lookUpOperator: (number, inquiry) =>
        ask('line', 'LineType', number, inquiry, ({ mobileCountryCode, mobileNetworkCode, ported: stated }) => {
          const operator = operatorIdOf(mobileCountryCode, mobileNetworkCode)
          return statedOperator(resources.clock.now(), { operator, ported: flagOf(stated) })
        }),
    }
  },
}
