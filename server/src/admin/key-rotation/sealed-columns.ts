// Which columns are sealed with a tenant's data key, and in which context? All of them; a test compares this list with the schema.

import { contextOf as ofAccountDevice } from '../../accounts/devices/confirmed-device.ts'
import { contextOf as ofKnowledge } from '../../accounts/stored-knowledge.ts'
import type { SqlValue } from '../../core/storage/database.ts'
import type { SealedTable } from '../../core/storage/keys/sealed-rows.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { contextOf as ofDecision, reviewContext } from '../../decisions/record.ts'
import { commentsContext } from '../../decisions/reviews/comments.ts'
import { backtestContext, backtestResultContext } from '../../decisions/rule-changes/backtests.ts'
import { publicationContext, publicationDecisionContext } from '../../decisions/rule-changes/publications.ts'
import { contextOf as ofAnalysis } from '../../device/store/record.ts'
import { answerContext, contextOf as ofEvent, receiverContext } from '../../events/sealed-event.ts'
import { contextOfEntry, contextOfList } from '../../rules/lists/entries.ts'
import { noteContext, contextOf as ofRules, velocitiesContext } from '../../rules/stored-version.ts'
import { contextOf as ofSignIn } from '../../sign-in/authentication/transaction.ts'
import { contextOfIdentity, contextOfProfile } from '../../sign-in/authentication/users.ts'
import { headContext, linesContext, resultsContext } from '../../telecom/batches/batch-record.ts'
import { contextOf as ofAnswer } from '../../telecom/freshness/line-store.ts'
import { contextOfVerification } from '../../telecom/number-verification/number-verifications.ts'
import { watchContext } from '../../telecom/watching/watch-record.ts'
import { auditContext } from '../audit/chain.ts'
import { adminCallContext } from '../changes/idempotent-call.ts'
import { ownRoleContext } from '../own-roles/own-roles.ts'
import { invitationContext } from '../people/invitation.ts'
import { erasureContext } from '../privacy/receipts.ts'
import { ssoContext } from '../sso/connection.ts'

export interface SealedColumn extends SealedTable {
  /** The context of a row with this key. */
  context(tenantId: string, key: readonly SqlValue[]): string
}

const noBytes = new Uint8Array(0)
const bytes = (value: SqlValue | undefined) => value as Uint8Array

const ofTenant = (
  table: string,
  column: string,
  key: SealedTable['key'],
  context: SealedColumn['context'],
): SealedColumn => ({ table, column, tenant: 'tenant_id', key, context })

export const sealedColumns: readonly SealedColumn[] = [
  ofTenant('sign_in', 'sealed', { id_hash: noBytes }, (_, [id]) => ofSignIn('content', bytes(id))),
  ofTenant('sign_in', 'sealed_proof', { id_hash: noBytes }, (_, [id]) => ofSignIn('proof', bytes(id))),
  ofTenant('telecom_answer', 'sealed', { number_hash: noBytes, question: '' }, (_, [number, question]) =>
    ofAnswer(String(question), bytes(number)),
  ),
  ofTenant('number_verification', 'sealed', { id_hash: noBytes }, (_, [id]) => contextOfVerification(bytes(id))),
  ofTenant('number_watch', 'sealed', { id: noBytes }, (tenantId, [id]) => watchContext(tenantId, bytes(id))),
  ofTenant('telecom_batch', 'sealed', { id: noBytes }, (tenantId, [id]) => headContext(tenantId, bytes(id))),
  ofTenant('telecom_batch_part', 'sealed', { batch_id: noBytes, part: -1 }, (tenantId, [id, part]) =>
    linesContext(tenantId, bytes(id), Number(part)),
  ),
  ofTenant('telecom_batch_part', 'sealed_result', { batch_id: noBytes, part: -1 }, (tenantId, [id, part]) =>
    resultsContext(tenantId, bytes(id), Number(part)),
  ),
  ofTenant('app_user', 'sealed_profile', { id: '' }, (_, [id]) => contextOfProfile(String(id))),
  ofTenant('identity', 'sealed', { identity_hash: noBytes }, (_, [hash]) => contextOfIdentity(bytes(hash))),
  ofTenant('invitation', 'sealed', { link_hash: noBytes }, (_, [hash]) => invitationContext(bytes(hash))),
  ofTenant('own_role', 'sealed', { name: '' }, (tenantId, [name]) => ownRoleContext(tenantId, String(name))),
  ofTenant('single_sign_on', 'sealed', {}, (tenantId) => ssoContext(tenantId)),
  ofTenant('rule_set', 'sealed', { version: -1 }, (tenantId, [version]) => ofRules(tenantId, Number(version))),
  ofTenant('rule_set', 'sealed_velocities', { version: -1 }, (tenantId, [version]) =>
    velocitiesContext(tenantId, Number(version)),
  ),
  ofTenant('rule_change', 'sealed_note', { number: -1 }, (tenantId) => noteContext(tenantId)),
  ofTenant('rule_publication', 'sealed', { number: -1 }, (tenantId, [number]) =>
    publicationContext(tenantId, Number(number)),
  ),
  ofTenant('rule_publication', 'sealed_decision', { number: -1 }, (tenantId, [number]) =>
    publicationDecisionContext(tenantId, Number(number)),
  ),
  ofTenant('backtest', 'sealed', { id: '' }, (tenantId, [id]) => backtestContext(tenantId, String(id))),
  ofTenant('backtest', 'sealed_result', { id: '' }, (tenantId, [id]) => backtestResultContext(tenantId, String(id))),
  ofTenant('value_list', 'sealed', { id: noBytes }, (tenantId, [id]) => contextOfList(tenantId, bytes(id))),
  {
    table: 'list_entry',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { list_id: noBytes, value_hash: noBytes },
    context: (tenantId, [list, hash]) => contextOfEntry(tenantId, bytes(list), bytes(hash)),
  },
  {
    table: 'account_device',
    column: 'sealed',
    key: { account_hash: noBytes, device_id: noBytes },
    context: (tenantId, [account, device]) => ofAccountDevice(tenantId, bytes(account), uuidText(bytes(device))),
  },
  {
    table: 'account_knowledge',
    column: 'sealed',
    key: { account_hash: noBytes },
    context: (tenantId, [account]) => ofKnowledge(tenantId, bytes(account)),
  },
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
    column: 'sealed_comments',
    tenant: 'tenant_hash',
    key: { decision_id: noBytes },
    context: (tenantId, [id]) => commentsContext({ tenantId, decisionId: uuidText(bytes(id)) }),
  },
  {
    table: 'device_analysis',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { dfr_id: noBytes },
    context: (tenantId, [dfrId]) => ofAnalysis({ tenantId, dfrId: Buffer.from(bytes(dfrId)).toString('hex') }),
  },
  {
    table: 'event',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { id: noBytes },
    context: (_, [id]) => ofEvent(bytes(id)),
  },
  ofTenant('erasure', 'sealed', { id: noBytes }, (tenantId, [id]) => erasureContext(tenantId, bytes(id))),
  ofTenant('audit_line', 'sealed', { number: -1 }, (tenantId, [number]) => auditContext(tenantId, Number(number))),
  ofTenant('admin_call', 'sealed', { key_hash: noBytes }, (tenantId, [hash]) =>
    adminCallContext(tenantId, bytes(hash)),
  ),
  ofTenant('event_receiver', 'sealed', { id: '' }, (tenantId, [id]) => receiverContext(tenantId, String(id))),
  ofTenant(
    'event_attempt',
    'sealed_answer',
    { receiver_id: '', attempted_at: -1, event_id: noBytes },
    (_, [receiverId, , eventId]) => answerContext(String(receiverId), bytes(eventId)),
  ),
]
