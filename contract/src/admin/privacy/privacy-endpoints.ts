// How does the console export and erase a person or device, and show how long data is stored?

import { admin } from '../admin-endpoint.ts'
import { NoFields } from '../session.ts'
import {
  EraseSubjectRequest,
  ErasureReceipt,
  Erasures,
  ExportSubjectRequest,
  ListErasuresRequest,
  Retention,
  SubjectExport,
} from './privacy.ts'

const tag = 'Console privacy'

export const privacyEndpoints = {
  readRetention: admin({
    method: 'GET',
    path: '/admin/v1/privacy/retention',
    permission: 'privacy.read',
    tag,
    summary: 'Show how long data is stored',
    description: 'Returns how long each kind of data is stored, and which setting says so.',
    request: NoFields,
    answer: Retention,
  }),
  listErasures: admin({
    method: 'GET',
    path: '/admin/v1/privacy/erasures',
    permission: 'privacy.read',
    tag,
    summary: 'List erasures',
    description: 'Returns the signed receipts of what was erased.',
    request: ListErasuresRequest,
    answer: Erasures,
  }),
  exportSubject: admin({
    method: 'POST',
    path: '/admin/v1/privacy/export',
    permission: 'privacy.export',
    tag,
    summary: 'Export a person or device',
    description:
      'Returns everything that the store has about a user, phone number, email address or device, in clear. The audit log has the reason, and not the subject.',
    request: ExportSubjectRequest,
    answer: SubjectExport,
  }),
  eraseSubject: admin({
    method: 'POST',
    path: '/admin/v1/privacy/erase',
    permission: 'privacy.erase',
    tag,
    summary: 'Erase a person or device',
    description:
      'Deletes everything that the store has about a user, phone number, email address or device, and returns a signed receipt. Repeat it when it did not answer: it goes on. Records of others stay.',
    request: EraseSubjectRequest,
    answer: ErasureReceipt,
  }),
} as const
