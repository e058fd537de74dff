// What is configured for single sign-on of a tenant? Found by tenant or id, and sealed as far as nobody needs to look it up.

import { ssoCallbackPath } from '@ringfence/contract'
import type { Keyring } from '../../core/crypto/keyring.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Addresses } from '../../core/servers/room.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { callbackUrl } from '../../upstream/oauth/callback-url.ts'
import { findSso, findSsoById, listListedSso, type SsoRow } from '../store/single-sign-on.ts'

/** What is sealed. */
export interface SsoContent {
  readonly name: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly scopes: readonly string[]
  readonly groupsClaim: string
  readonly roles: readonly { readonly group: string; readonly role: string }[]
  readonly makesPeople: boolean
}

export interface SsoConnection extends SsoContent, Omit<SsoRow, 'sealed'> {}

export const ssoContext = (tenantId: string) => `single_sign_on ${tenantId}`

/** The same for a tenant at any time: the callback URL that contains it is registered before the connection is configured. */
export const ssoIdOf = (tenantId: string, keyring: Pick<Keyring, 'hashSecret'>): string =>
  Buffer.from(keyring.hashSecret(`sso connection of ${tenantId}`))
    .toString('base64url')
    .slice(0, 16)

/** Where the provider of a connection returns people to. */
export const redirectUriOf = (id: string, { addresses }: { addresses: Pick<Addresses, 'base'> }): string =>
  callbackUrl(addresses.base() + ssoCallbackPath, id)

interface Resources {
  readonly database: Queryable
  readonly tenantKeyring: TenantKeyring
}

export async function connectionOf(tenantId: string, resources: Resources): Promise<SsoConnection | undefined> {
  const row = await findSso(resources.database, tenantId)
  return row && opened(row, resources)
}

export async function connectionById(id: string, resources: Resources): Promise<SsoConnection | undefined> {
  const row = await findSsoById(resources.database, id)
  return row && opened(row, resources)
}

const mostListed = 20

export async function listedConnections(resources: Resources): Promise<SsoConnection[]> {
  const rows = await listListedSso(resources.database, mostListed)
  return Promise.all(rows.map((row) => opened(row, resources)))
}

async function opened({ sealed, ...row }: SsoRow, { tenantKeyring }: Resources): Promise<SsoConnection> {
  const keys = await tenantKeyring.keysOf(row.tenantId)
  return { ...row, ...(JSON.parse(keys.open(sealed, ssoContext(row.tenantId))) as SsoContent) }
}
