-- A row is a batch of phone numbers that a tenant has sent. Found by id, by the keyed hash of its Idempotency-Key, or as the next that a
-- server has to work on. Deleted when it has expired.
create table telecom_batch (
  tenant_id text not null,
  id bytea not null,
  -- null: sent without a key
  idempotency_hash bytea,
  -- keyed hash of the checks and of the whole body
  body_hash bytea not null,
  -- receiving, waiting, canceling, canceled, completed
  state text not null,
  created_at bigint not null,
  completed_at bigint,
  expires_at bigint not null,
  lines bigint not null,
  parts bigint not null,
  -- when a server may work on it: again after a server that has it died, and never when it has ended
  due_at bigint not null,
  -- random: of the server that works on it now
  claim bytea,
  -- JSON: counts and costs
  progress text not null,
  -- JSON: checks, names of columns, and who sent it; sealed under the tenant's data key
  sealed bytea not null,
  primary key (tenant_id, id)
);
create unique index telecom_batch_key on telecom_batch (tenant_id, idempotency_hash);
create index telecom_batch_due on telecom_batch (due_at);
create index telecom_batch_end on telecom_batch (expires_at);

-- A row is a hundred lines of a batch, then with their results. Found by batch and number. Deleted with the batch.
create table telecom_batch_part (
  tenant_id text not null,
  batch_id bytea not null,
  part bigint not null,
  -- number of its first line in what was sent
  first_line bigint not null,
  -- counts the erasures of a number in it
  version bigint not null,
  is_done bigint not null,
  -- one bit for each line for which an operator may have been called; null: none, or the part is done
  asked bytea,
  -- JSON: line number, phone number and columns of each line; sealed under the tenant's data key
  sealed bytea not null,
  -- JSON: the results that are known, sealed in the same way
  sealed_result bytea,
  primary key (tenant_id, batch_id, part)
);
