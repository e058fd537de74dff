-- Whom does a frontend token stand for? The token itself is nowhere: only a hash of it, and texts that it alone opens.

-- The key carries the time, so that new tokens lie together and old ones leave by range, without a second index. The shard
-- (of 64, by the hash) stands first, so that a sharded engine spreads what is written at the same time.
create table token (
  shard smallint not null,
  -- ten minutes since the Unix epoch in which the token expires
  bucket bigint not null,
  -- the first 16 bytes of SHA-256 of the token
  hash bytea not null,
  tenant_id text not null,
  expires_at bigint not null,
  -- answers of token verification and of secure info: JSON, AES-256-GCM under a key derived from the token.
  -- null: a token without a login; nothing was collected
  sealed_login bytea,
  sealed_device bytea,
  -- first use of each, kept where a token is accepted once
  login_used_at bigint,
  device_used_at bigint,
  revoked_at bigint,
  primary key (shard, bucket, hash)
);
