// How does a part of the configuration file name tenants? By their ids, which do not change.

import Type, { type TSchema } from 'typebox'

/** Values by the id of a tenant. */
export const ByTenant = <Value extends TSchema>(value: Value, description: string) =>
  Type.Record(Type.String({ pattern: '^[0-9a-f-]{36}$' }), value, {
    additionalProperties: false,
    keyForm: 'the id of a tenant, which ringfence clients list shows',
    description,
  })
