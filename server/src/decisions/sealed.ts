// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { uuidText } from '../core/storage/uuid.ts'
import { askedContext, contextOf as ofDecision, reviewContext } from './record/record.ts'
import { commentsContext } from './reviews/comments.ts'
import { backtestContext, backtestResultContext } from './rule-changes/backtests.ts'
import { publicationContext, publicationDecisionContext } from './rule-changes/publications.ts'

export const decisionsSealed: readonly SealedColumn[] = [
  ofTenant('rule_publication', 'sealed', { number: -1 }, (tenantId, [number]) =>
    publicationContext(tenantId, Number(number)),
  ),
  ofTenant('rule_publication', 'sealed_decision', { number: -1 }, (tenantId, [number]) =>
    publicationDecisionContext(tenantId, Number(number)),
  ),
  ofTenant('backtest', 'sealed', { id: '' }, (tenantId, [id]) => backtestContext(tenantId, String(id))),
  ofTenant('backtest', 'sealed_result', { id: '' }, (tenantId, [id]) => backtestResultContext(tenantId, String(id))),
  {
    table: 'decision',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { decision_id: noBytes },
    context: (tenantId, [id]) => ofDecision({ tenantId, decisionId: uuidText(bytes(id)) }),
  },
  {
    table: 'decision',
    column: 'sealed_review',
    tenant: 'tenant_hash',
    key: { decision_id: noBytes },
    context: (tenantId, [id]) => reviewContext({ tenantId, decisionId: uuidText(bytes(id)) }),
  },
  {
    table: 'decision',
    column: 'sealed_challenge',
    tenant: 'tenant_hash',
    key: { decision_id: noBytes },
    context: (tenantId, [id]) => askedContext({ tenantId, decisionId: uuidText(bytes(id)) }),
  },
  {
    table: 'decision',
    column: 'sealed_comments',
    tenant: 'tenant_hash',
    key: { decision_id: noBytes },
    context: (tenantId, [id]) => commentsContext({ tenantId, decisionId: uuidText(bytes(id)) }),
  },
]
