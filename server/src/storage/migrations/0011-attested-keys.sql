-- Keys of App Attest: each is of one installation of an iOS app, and Apple vouches for it.

create table attested_key (
  app_id text not null references app (id),
  key_id text not null,
  -- DER, SubjectPublicKeyInfo
  public_key bytea not null,
  -- of the last assertion; only ever rises
  counter bigint not null,
  attested_at bigint not null,
  primary key (app_id, key_id)
);
