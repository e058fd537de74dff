-- The id by which the phone of this key was known at its first proof, as `<kind> <device id>`. Null until a proof comes with an id.
alter table attested_key add column device text;

-- A row is a key of the Android Keystore: one installation of an Android app, trusted on first use. Found by app and the hash of the
-- public key. Deleted DEVICE_HISTORY_DAYS after its last use.
create table keystore_key (
  app_id text not null references app (id),
  -- the first 16 bytes of SHA-256 of the public key
  key_hash bytea not null,
  -- as in attested_key
  device text,
  -- the start of a day, epoch milliseconds
  last_used_at bigint not null,
  primary key (app_id, key_hash)
) /* sqlite: without rowid */;

-- For retention.
create index keystore_key_by_use on keystore_key (last_used_at);
