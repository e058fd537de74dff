// What may this client do? A restricted one has scopes, IP addresses, or an end.

import type { Scope } from '@ringfence/contract'
import type { ConnectionAddress } from '../core/address/address.ts'
import { type AddressBlocks, addressBlocks } from '../core/address/address-blocks.ts'
import { Refusal } from '../core/errors.ts'
import type { ClientRestrictions } from './store/clients.ts'

export interface Restrictions {
  readonly scopes?: ReadonlySet<Scope>
  readonly allowed?: AddressBlocks
  /** Epoch milliseconds. */
  readonly expiresAt?: number
}

/** Undefined for a client that may do everything. */
export function restrictionsOf({ scopes, allowedIps, expiresAt }: ClientRestrictions): Restrictions | undefined {
  if (scopes === null && allowedIps === null && expiresAt === null) return undefined
  return {
    ...(scopes !== null && { scopes: new Set(scopes.split(' ') as Scope[]) }),
    ...(allowedIps !== null && { allowed: addressBlocks(allowedIps) }),
    ...(expiresAt !== null && { expiresAt }),
  }
}

/** Refuses with `clientRestricted` a call with another scope, or from another IP address. */
export function refuseUnlessAllowed(
  { scopes, allowed }: Restrictions,
  scope: Scope,
  address: ConnectionAddress | undefined,
): void {
  if (allowed && !(address && allowed.contains(address)))
    throw new Refusal('clientRestricted', { mistake: 'not from this IP address' })
  if (scopes && !scopes.has(scope)) throw new Refusal('clientRestricted', { mistake: `it lacks the scope ${scope}` })
}
