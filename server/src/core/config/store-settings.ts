// Which settings do the store and its keys have? Part of settings.ts.

import Type from 'typebox'
import { defaultPools } from '../storage/postgres/pools.ts'

type Described = { readonly env: string; readonly description: string; readonly form?: string }

const number = (options: Described & { minimum: number; maximum: number; default: number }) => Type.Integer(options)

const optionalText = (options: Described & { pattern?: string; minLength?: number }) =>
  Type.Optional(Type.String({ minLength: 1, ...options }))

/** Where the master key is. */
export const masterKeySettings = {
  masterKey: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY',
      description:
        'Key that protects the keys of the store. Servers that share a database need the same one. During a rotation: the new key, a space, and the previous one.',
      pattern: '^[A-Za-z0-9+/_-]{43}=?([ ,]+[A-Za-z0-9+/_-]{43}=?)*$',
      form: '32 bytes in base64',
    }),
  ),
  masterKeyFile: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY_FILE',
      description:
        'File with the master key, which only its owner may read. Default: `/etc/ringfence/master.key` if it exists, otherwise `ringfence/master.key` in the configuration folder of the user (`$XDG_CONFIG_HOME` or `~/.config`). It is created for a new store only.',
    }),
  ),
  masterKeyCommand: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY_COMMAND',
      description: 'Shell command that prints the master key in base64, within 10 seconds.',
    }),
  ),
  masterKeyWrapCommand: Type.Optional(
    Type.String({
      minLength: 1,
      env: 'MASTER_KEY_WRAP_COMMAND',
      description:
        'Shell command of a KMS whose key never leaves it: called with `wrap` or `unwrap`, it reads base64 and prints base64, within 10 seconds.',
    }),
  ),
}

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
