-- A row is a decision. Found by its id. Deleted when its retention ends.
create table decision (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- a UUID of version 7, so new rows are neighbours
  decision_id bytea not null,
  -- 16 bytes of a keyed hash of the Idempotency-Key, and 8 of the body: a repeated request finds its decision; null without a key
  idempotency_hash bytea,
  body_hash bytea not null,
  decided_at bigint not null,
  -- the report of the device, for labels; null without one
  dfr_id bytea,
  challenge_passed_at bigint,
  -- the answer, the input of the rules, and what else explains it: compressed JSON, sealed under the tenant's data key
  sealed bytea not null,
  primary key (tenant_hash, decision_id)
);

create unique index decision_by_idempotency on decision (tenant_hash, idempotency_hash) where idempotency_hash is not null;
create index decision_by_time on decision (decided_at);
