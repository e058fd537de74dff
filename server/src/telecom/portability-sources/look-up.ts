// How does a connector answer which operator serves a number? A portability source that asks a look-up vendor.

import Type from 'typebox'
import type { PortabilitySourceKind } from './source.ts'

const Config = Type.Object(
  {
    type: Type.Literal('connector', { description: 'the kind of source' }),
    connector: Type.String({ minLength: 1, description: 'the name of a connector that looks operators up' }),
  },
  { additionalProperties: false },
)

export const lookUp: PortabilitySourceKind<typeof Config> = {
  type: 'connector',
  Config,
  create(name, { connector: asked }, { connectors }) {
    const connector = connectors?.get(asked)
    if (!connector) throw new Error(`connector is ${asked}, which connectors does not have`)
    const { lookUpOperator, sandbox } = connector
    if (!lookUpOperator) throw new Error(`connector is ${asked}, which does not look operators up`)
    return {
      name,
      ...(sandbox && { sandbox }),
      lookUp: lookUpOperator,
    }
  },
}
