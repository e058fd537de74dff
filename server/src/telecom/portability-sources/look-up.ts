// How does a connector answer which operator serves a number? A portability source that asks a look-up vendor.

import Type from 'typebox'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { PortabilitySourceKind } from './source.ts'

const Config = Type.Object(
  {
    type: Type.Literal('connector', { description: 'the kind of source' }),
    connector: Type.String({ minLength: 1, description: 'the name of a connector that looks operators up' }),
  },
  { additionalProperties: false },
)

const OperatorName = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const Answer = compileOnUse(
  Type.Object(
    {
      operator: OperatorName,
      homeOperator: OperatorName,
      ported: Type.Optional(Type.Boolean()),
      asOf: Type.Number(),
    },
    { additionalProperties: false },
  ),
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
      async lookUp(number, inquiry) {
        const answer = await lookUpOperator(number, inquiry)
        // A connector of a new kind may pass on what an upstream wrote.
        if (answer === undefined || Answer.Check(answer)) return answer
        throw new UpstreamError('format', `${asked}: what it looked up is no operator`)
      },
    }
  },
}
