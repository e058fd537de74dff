-- A row is a key that signs ID tokens. One series for the whole service, since one issuer has one set of keys. All rows are read at once.
-- Deleted when no ID token that it signed is still valid.
create table signing_key (
  -- 1, 2, 3 …: two servers that make the next key at the same time make one
  generation bigint not null primary key,
  key_id text not null,
  algorithm text not null,
  public_jwk text not null,
  -- sealed under a key of the service
  sealed_private_jwk bytea not null,
  -- the key is published before this time and signs from this time on
  starts_at bigint not null
);
