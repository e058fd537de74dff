-- A row is a passkey of a person. Found by the keyed hash of its credential id at sign-in, else by person. Deleted with the person, by a
-- reset, or when the person removes it.
create table passkey (
  credential_hash bytea not null primary key,
  person_id text not null,
  -- JSON: credential id, public key, transports, name and whether it is backed up; sealed under the key of the store
  sealed bytea not null,
  -- how often it has signed, as it says itself; many always say 0
  counter bigint not null,
  created_at bigint not null,
  -- null: not yet
  last_used_at bigint
);
create index passkey_person on passkey (person_id);

-- A row is a challenge that a passkey has answered: it cannot be answered again. Found by its keyed hash. Deleted when the challenge ends.
create table used_challenge (
  challenge_hash bytea not null primary key,
  ends_at bigint not null
);

-- When the person of a session proved again who they are. null: not since the sign-in
alter table console_session add column confirmed_at bigint;
