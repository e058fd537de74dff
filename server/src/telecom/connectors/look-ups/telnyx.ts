// How does Ringfence ask Telnyx Number Lookup? It knows the operator and the porting of North American numbers.

import Type from 'typebox'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import type { Connector, ConnectorKind } from '../connector.ts'
import { lookUpApi, vendorConnector } from './look-up-api.ts'
import { lookUpProperties, Secret } from './look-up-settings.ts'
import { operatorIdOf, statedOperator, Text, textOf } from './stated.ts'

const vendorUrl = 'https://api.telnyx.com'

const Config = Type.Object(
  {
    type: Type.Literal('telnyx', { description: 'the kind of connector' }),
    apiKey: Secret('API key'),
    ...lookUpProperties(vendorUrl),
  },
  { additionalProperties: false },
)

const Response = compileOnUse(
  Type.Object({
    data: Type.Object({
      carrier: Type.Optional(
        Type.Union([Type.Object({ mobile_country_code: Text, mobile_network_code: Text }), Type.Null()]),
      ),
      portability: Type.Optional(Type.Union([Type.Object({ ported_status: Text, ocn: Text }), Type.Null()])),
    }),
  }),
)

const portedOf = new Map([
  ['Y', true],
  ['N', false],
])

export const telnyx: ConnectorKind<typeof Config> = {
  type: 'telnyx',
  Config,
  create(name, settings, resources): Connector {
    const credentials = { authorization: `Bearer ${resources.readSecret(settings.apiKey)}` }
    const api = lookUpApi(
      { upstream: name, service: 'lookup', settings, vendorUrl, credentials: () => credentials },
      resources,
    )
    return {
      ...vendorConnector(name, settings, api),
      lookUpOperator: ({ digits, callingCode }, inquiry) =>
        api.ask(
          {
            call: 'lookup/carrier',
            path: `/v2/number_lookup/%2B${digits}?type=carrier`,
            Response,
            read({ data: { carrier, portability: stated } }) {
              // Its porting data are those of North America: "N" elsewhere says nothing.
              const portability = callingCode === '1' ? stated : undefined
              const ocn = textOf(portability?.ocn)
              const operator =
                operatorIdOf(carrier?.mobile_country_code, carrier?.mobile_network_code) ??
                (ocn === undefined ? undefined : `ocn:${ocn}`)
              // The empty text means unknown, not "not ported".
              const ported = portedOf.get(portability?.ported_status ?? '')
              return statedOperator(resources.clock.now(), { operator, ported })
            },
          },
          inquiry,
        ),
    }
  },
}
