-- A row is a change through the admin API that was made with an Idempotency-Key. Found by tenant and the keyed hash of actor, endpoint
-- and key. Deleted a day later.
create table admin_call (
  tenant_id text not null,
  key_hash bytea not null,
  -- keyed
  body_hash bytea not null,
  -- JSON: the answer and its version, sealed under the tenant's data key; null until the change is made
  sealed bytea,
  ends_at bigint not null,
  primary key (tenant_id, key_hash)
);
