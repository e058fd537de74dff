-- With which keys are id tokens signed? One series for the whole service, as one issuer has one set of keys.

create table signing_key (
  -- 1, 2, 3 …: two servers that make the next one at once make one
  generation bigint not null primary key,
  key_id text not null,
  algorithm text not null,
  public_jwk text not null,
  -- the private JWK, AES-256-GCM under a key of the service
  sealed_private_jwk bytea not null,
  -- signs from then on; published before
  starts_at bigint not null
);
