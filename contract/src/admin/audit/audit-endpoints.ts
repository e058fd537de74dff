// How do the console and the command line read the audit log?

import { admin } from '../admin-endpoint.ts'
import {
  AuditPage,
  AuditSlice,
  ExportAuditRequest,
  ListAuditRequest,
  VerifiedAudit,
  VerifyAuditRequest,
} from './audit.ts'

const tag = 'Console audit log'

export const auditEndpoints = {
  listAudit: admin({
    method: 'GET',
    path: '/admin/v1/audit',
    permission: 'audit.read',
    tag,
    summary: 'List audit lines',
    description: 'Returns who did what in the console and through the admin API, newest first.',
    request: ListAuditRequest,
    answer: AuditPage,
  }),
  exportAudit: admin({
    method: 'GET',
    path: '/admin/v1/audit/export',
    permission: 'audit.read',
    tag,
    summary: 'Export audit lines',
    description: 'Returns up to 500 lines, oldest first. Repeat it with `next` until there is none.',
    request: ExportAuditRequest,
    answer: AuditSlice,
  }),
  verifyAudit: admin({
    method: 'POST',
    path: '/admin/v1/audit/verify',
    permission: 'audit.read',
    effect: 'read',
    tag,
    summary: 'Verify the audit log',
    description:
      'Checks up to 500 lines: that none was changed, moved or deleted. Repeat it with `next` and `head` until there is no `next`.',
    request: VerifyAuditRequest,
    answer: VerifiedAudit,
  }),
} as const
