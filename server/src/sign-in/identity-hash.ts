// Under which hash is a phone number, an email address or an account at an identity provider stored? Sign-ins and imports of customers use the same.

import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { ProvenIdentity } from './authentication/channel.ts'

export type IdentityName = Pick<ProvenIdentity, 'identityType' | 'identityValue'>

export const hashOfIdentity = (keys: Pick<TenantKeys, 'hash'>, { identityType, identityValue }: IdentityName) =>
  keys.hash(`identity ${identityType} ${identityValue}`)
