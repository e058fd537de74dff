// How does somebody who sees personal data masked see one record in clear? With a reason, and a line in the audit log.

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { ListRevealsRequest, Revealed, RevealRequest, Reveals } from './personal-data.ts'

export const personalDataEndpoints = {
  reveal: admin({
    method: 'POST',
    path: '/admin/v1/reveal',
    permission: 'personalData.reveal',
    tag: 'Console privacy',
    summary: 'Reveal a record',
    description:
      'Returns a decision, device report, event, device, user or phone number with its personal data in clear, to a role that otherwise sees it masked. The role needs the permission to read that kind too. The audit log has who did it, when and why.',
    request: RevealRequest,
    answer: Revealed,
    refusals: {
      404: problem(
        'There is no such record, or it has expired',
        'decision-unknown',
        'report-unknown',
        'device-unknown',
      ),
    },
  }),
  listReveals: admin({
    method: 'GET',
    path: '/admin/v1/privacy/reveals',
    permission: 'privacy.read',
    tag: 'Console privacy',
    summary: 'List reveals',
    description:
      'Returns who saw which kind of record in clear, when and why, from the audit log. It does not name the subject.',
    request: ListRevealsRequest,
    answer: Reveals,
  }),
} as const
