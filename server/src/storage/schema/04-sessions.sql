-- A row is an SDK session. Found by the hash of its session token. Deleted when it has expired, which takes minutes.
create table sdk_session (
  -- the first 16 bytes of SHA-256 of the session token
  token_hash bytea not null primary key,
  id text not null,
  app_id text not null,
  platform text not null,
  package_name text not null,
  expires_at bigint not null
);

create index sdk_session_by_expiry on sdk_session (expires_at);
