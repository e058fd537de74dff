// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { auditContext } from './audit/chain.ts'
import { adminCallContext } from './changes/idempotent-call.ts'
import { entityContext } from './fold/entity-content.ts'
import { ownRoleContext } from './own-roles/own-roles.ts'
import { invitationContext } from './people/invitation.ts'
import { erasureContext } from './privacy/receipts.ts'
import { ssoContext } from './sso/connection.ts'

export const adminSealed: readonly SealedColumn[] = [
  ofTenant('invitation', 'sealed', { link_hash: noBytes }, (_, [hash]) => invitationContext(bytes(hash))),
  ofTenant('own_role', 'sealed', { name: '' }, (tenantId, [name]) => ownRoleContext(tenantId, String(name))),
  ofTenant('single_sign_on', 'sealed', {}, (tenantId) => ssoContext(tenantId)),
  ofTenant('erasure', 'sealed', { id: noBytes }, (tenantId, [id]) => erasureContext(tenantId, bytes(id))),
  {
    table: 'entity',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { kind: '', hash: noBytes },
    context: (_, [kind, hash]) => entityContext(String(kind), bytes(hash)),
  },
  ofTenant('audit_line', 'sealed', { number: -1 }, (tenantId, [number]) => auditContext(tenantId, Number(number))),
  ofTenant('admin_call', 'sealed', { key_hash: noBytes }, (tenantId, [hash]) =>
    adminCallContext(tenantId, bytes(hash)),
  ),
]
