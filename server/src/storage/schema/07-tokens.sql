-- A row is a token of the frontend. The token itself is not stored: only a hash of it, and content that only the token can open.
-- Found by shard, bucket and hash, which all follow from the token. Deleted by bucket, when every token of the bucket has expired.
--
-- The primary key contains the time: new tokens are neighbours, and expired ones are deleted by range without a second index. The shard
-- (of 64, by the hash) comes first so that a sharded engine spreads simultaneous writes.
create table token (
  shard smallint not null,
  -- the ten minutes since the Unix epoch in which the token expires
  bucket bigint not null,
  -- the first 16 bytes of SHA-256 of the token
  hash bytea not null,
  tenant_id text not null,
  expires_at bigint not null,
  -- JSON answers of token verification and of secure info, sealed under a key derived from the token;
  -- null: the token has no sign-in; no device data was collected
  sealed_login bytea,
  sealed_device bytea,
  -- first use of each; written only where a token is accepted once
  login_used_at bigint,
  device_used_at bigint,
  revoked_at bigint,
  primary key (shard, bucket, hash)
);
