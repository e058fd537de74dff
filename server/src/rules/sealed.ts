// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { draftContext } from './editing/named-drafts.ts'
import { contextOfEntry, contextOfList } from './lists/entries.ts'
import { noteContext, contextOf as ofRules, velocitiesContext } from './stored-version.ts'

export const rulesSealed: readonly SealedColumn[] = [
  ofTenant('rule_set', 'sealed', { version: -1 }, (tenantId, [version]) => ofRules(tenantId, Number(version))),
  ofTenant('rule_set', 'sealed_velocities', { version: -1 }, (tenantId, [version]) =>
    velocitiesContext(tenantId, Number(version)),
  ),
  ofTenant('rule_draft', 'sealed', { number: -1 }, (tenantId, [number]) => draftContext(tenantId, Number(number))),
  ofTenant('rule_change', 'sealed_note', { number: -1 }, (tenantId) => noteContext(tenantId)),
  ofTenant('value_list', 'sealed', { id: noBytes }, (tenantId, [id]) => contextOfList(tenantId, bytes(id))),
  {
    table: 'list_entry',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { list_id: noBytes, value_hash: noBytes },
    context: (tenantId, [list, hash]) => contextOfEntry(tenantId, bytes(list), bytes(hash)),
  },
]
