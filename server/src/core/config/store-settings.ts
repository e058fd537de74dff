// Which settings do the store and its keys have? Part of settings.ts.

import Type from 'typebox'
import { defaultPools } from '../storage/postgres/pools.ts'
import { masterKeySettings } from './master-key-settings.ts'

type Described = { readonly env: string; readonly description: string; readonly form?: string }

const number = (options: Described & { minimum: number; maximum: number; default: number }) => Type.Integer(options)

const optionalText = (options: Described & { pattern?: string; minLength?: number }) =>
  Type.Optional(Type.String({ minLength: 1, ...options }))

export const storeSettings = {
  dataFolder: Type.String({
    env: 'DATA_FOLDER',
    description: 'Data folder: embedded store, number data and IP data.',
    minLength: 1,
    default: 'ringfence-data',
  }),
  databaseUrl: optionalText({
    env: 'DATABASE_URL',
    description: 'PostgreSQL database to use instead of the embedded store. Several servers can share it.',
    pattern: '^postgres(ql)?://',
    form: 'a URL such as `postgres://user:password@host/database`, or with several hosts `postgres://user@host1,host2/database`',
  }),
  databaseReadConnections: number({
    env: 'DATABASE_READ_CONNECTIONS',
    description:
      'Connections to PostgreSQL for reads, of each server process. All servers together must stay below its `max_connections`.',
    minimum: 1,
    maximum: 500,
    default: defaultPools.read,
  }),
  databaseWriteConnections: number({
    env: 'DATABASE_WRITE_CONNECTIONS',
    description: 'Connections to PostgreSQL for writes, of each server process. Writes that hang do not stop reads.',
    minimum: 1,
    maximum: 500,
    default: defaultPools.write,
  }),
  ...masterKeySettings,
}
