// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { contextOf as ofSignIn } from './authentication/transaction.ts'
import { contextOfIdentity, contextOfProfile } from './authentication/users.ts'
import { contextOfContact } from './customers/customer-hashes.ts'

export const signInSealed: readonly SealedColumn[] = [
  ofTenant('sign_in', 'sealed', { id_hash: noBytes }, (_, [id]) => ofSignIn('content', bytes(id))),
  ofTenant('sign_in', 'sealed_proof', { id_hash: noBytes }, (_, [id]) => ofSignIn('proof', bytes(id))),
  ofTenant('app_user', 'sealed_profile', { id: '' }, (_, [id]) => contextOfProfile(String(id))),
  {
    ...{ table: 'customer_contact', column: 'sealed', tenant: 'tenant_hash' },
    key: { contact_hash: noBytes, owner_hash: noBytes },
    context: (_, [contactHash, ownerHash]) => contextOfContact(bytes(contactHash), bytes(ownerHash)),
  },
  ofTenant('identity', 'sealed', { identity_hash: noBytes }, (_, [hash]) => contextOfIdentity(bytes(hash))),
]
