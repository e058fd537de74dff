// By which column is each table distributed over machines? For deploy/citus/distribute.sql, docs/scale.md and distribution.test.ts.

export interface Placement {
  /** A column; `reference`: a copy on every machine; `local`: on the coordinator. */
  readonly by: string
  /** Why it stays on one machine. */
  readonly why?: string
}

const reference: Placement = { by: 'reference' }
const local = (why: string): Placement => ({ by: 'local', why })

/** Columns are hashes or random ids, so that one large tenant spreads over all machines. */
export const distribution: Readonly<Record<string, Placement>> = {
  schema_migration: local('a few rows'),
  schema_contract: local('a few rows'),
  schema_index: local('a few rows'),
  server: local('a few rows'),
  request_count: local('its upsert reads the clock, which Citus refuses in `on conflict` of a distributed table'),
  sign_in: local('one start is one row: the unique index sign_in_by_start has no hash of the row; rows live an hour'),
  decision: local('an Idempotency-Key is used once: decision_by_idempotency has another key than the row'),
  device_analysis: local('a challenge is used once: device_analysis_by_challenge has another key than the row'),
  app_user: local('a new id of the integrator is given once: app_user_first_of_customer has another key than the row'),
  number_watch: local('a number has one watch: number_watch_number has another key than the row'),
  telecom_batch: local('an Idempotency-Key is used once: telecom_batch_key has another key than the row'),
  tenant: reference,
  client: reference,
  client_secret: reference,
  client_public_key: reference,
  app: reference,
  app_origin: reference,
  signing_key: reference,
  customer_import: reference,
  store_key: reference,
  key_rotation: reference,
  rule_set: reference,
  value_list: reference,
  rule_stage: reference,
  rule_draft: reference,
  rule_change: reference,
  rule_publication: reference,
  rule_policy: reference,
  device_learning: reference,
  device_alias: reference,
  review_policy: reference,
  backtest: reference,
  stored_bytes: reference,
  event_receiver: reference,
  audit_line: reference,
  audit_head: reference,
  erasure: reference,
  admin_call: reference,
  demo: reference,
  activity_count: reference,
  activity_progress: reference,
  performance_count: reference,
  counted_value: reference,
  folded_label: reference,
  decision_deadline: reference,
  entity: reference,
  entity_link: reference,
  person: reference,
  person_role: reference,
  own_role: reference,
  single_sign_on: reference,
  sso_done: reference,
  watch_request_count: reference,
  watch_subscription: reference,
  recovery_code: reference,
  invitation: reference,
  console_session: reference,
  passkey: reference,
  used_challenge: reference,
  event_lease: reference,
  attested_key: { by: 'key_id' },
  keystore_key: { by: 'key_hash' },
  start_claim: { by: 'start_hash' },
  agent_nonce: { by: 'nonce_hash' },
  client_assertion: { by: 'assertion_hash' },
  number_verification: { by: 'id_hash' },
  message_count: { by: 'subject_hash' },
  identity: { by: 'identity_hash' },
  customer_contact: { by: 'contact_hash' },
  customer: { by: 'customer_hash' },
  token: { by: 'hash' },
  telecom_cost: reference,
  telecom_answer: { by: 'number_hash' },
  telecom_batch_part: { by: 'batch_id' },
  device_key: { by: 'key' },
  new_device_key: { by: 'key' },
  installation: { by: 'id' },
  phone_id: { by: 'id' },
  device_history: { by: 'device_hash' },
  account_device: { by: 'account_hash' },
  event: { by: 'id' },
  event_delivery: { by: 'order_key' },
  event_attempt: { by: 'event_id' },
  account_knowledge: { by: 'account_hash' },
  account_number: { by: 'number_hash' },
  report_label: { by: 'report_id' },
  list_entry: { by: 'list_id' },
  device_label: { by: 'device_hash' },
  ip_label: { by: 'ip_prefix_hash' },
  velocity_count: { by: 'key_hash' },
}

/** Yugabyte spreads such an index by the hash of its time, so retention scans all of it; on CockroachDB its end is one hot range. */
export const timeFirstIndexes = [
  'account_device_by_time',
  'account_knowledge_by_time',
  'account_number_by_time',
  'agent_nonce_by_expiry',
  'attested_key_by_use',
  'client_assertion_by_expiry',
  'decision_by_time',
  'decision_deadline_by_time',
  'device_analysis_by_device',
  'device_analysis_with_content',
  'device_analysis_without_content',
  'device_history_by_time',
  'device_label_by_time',
  'entity_by_age',
  'folded_label_by_time',
  'installation_by_time',
  'installation_in_doubt',
  'installation_seen_once',
  'ip_label_by_time',
  'keystore_key_by_use',
  'list_entry_by_expiry',
  'message_count_by_end',
  'number_verification_expiry',
  'number_watch_end',
  'phone_id_by_time',
  'report_label_by_time',
  'sign_in_by_expiry',
  'telecom_answer_by_expiry',
  'telecom_batch_due',
  'telecom_batch_end',
  'value_list_deleted',
  'watch_subscription_due',
] as const

/** The script that distributes the tables of a migrated, empty database. */
export function distributeSql(): string {
  const lines = Object.entries(distribution).map(([name, { by, why }]) => {
    if (by === 'local') return `-- ${name} stays on the coordinator: ${why}`
    if (by === 'reference') return `select create_reference_table('${name}');`
    return `select create_distributed_table('${name}', '${by}', colocate_with => 'none');`
  })
  const order = (line: string) => (line.includes('reference_table') ? 0 : line.startsWith('select') ? 1 : 2)
  return `-- Generated by npm run docs from scripts/distribution/tables.ts. Distributes the tables of Ringfence on Citus.
-- Run it once, as the owner, after ringfence init and before there is traffic; docs/distribution.md says what works.
begin;
${lines.toSorted((a, b) => order(a) - order(b)).join('\n')}
commit;
`
}
