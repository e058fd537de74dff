-- A row is a Number Verification that a client has begun. Found by its id. Deleted an hour after it has expired.
create table number_verification (
  -- the first 16 bytes of SHA-256 of the id
  id_hash bytea not null primary key,
  tenant_id text not null,
  -- only this client may complete it
  client_id text not null,
  -- keyed hash of the phone number
  number_hash bytea not null,
  -- SHA-256 of the state that the operator redirects with
  state_hash bytea not null,
  expires_at bigint not null,
  -- null: not completed yet
  used_at bigint,
  -- number, connector, secrets of the URL
  sealed bytea not null
);
create index number_verification_expiry on number_verification (expires_at);
create index number_verification_number on number_verification (tenant_id, number_hash);
