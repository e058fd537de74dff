// Which settings do look-up vendors share in the configuration file?

import Type, { type Static } from 'typebox'
import { SecretReference } from '../../../core/config/secret-reference.ts'
import { BaseUrl, limitProperties } from '../../../upstream/upstream-settings.ts'

const common = {
  ...limitProperties,
  sandbox: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true for made-up data: responses are marked x-ringfence-sandbox, and http:// is allowed',
    }),
  ),
}

/** Keys that every look-up vendor has beside its own. */
export const lookUpProperties = (vendorUrl: string) => ({
  baseUrl: Type.Optional({
    ...BaseUrl('only for a regional URL, or a test server'),
    default: vendorUrl,
  }),
  ...common,
})
const LookUpSettings = Type.Object({ baseUrl: Type.Optional(Type.String()), ...common })
export type LookUpSettings = Static<typeof LookUpSettings>

/** The checks that the contract with the vendor includes. */
export const OfferedChecks = <const Name extends string>(names: readonly Name[]) =>
  Type.Optional(
    Type.Array(Type.Enum([...names]), {
      uniqueItems: true,
      default: [...names],
      description: 'the checks that your contract with the vendor includes',
    }),
  )

export const Secret = (description: string) => ({ ...SecretReference, description })

/** RFC 7617 */
export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
