-- Who signs in, who has signed in, and which tokens say so?

-- A row is a sign-in that somebody started. Found by the hash of its transaction id.
-- Deleted some time after it has expired (authentication/sign-in-retention.ts).
create table sign_in (
  -- the first 16 bytes of SHA-256 of the transaction id, which is not stored
  id_hash bytea not null primary key,
  tenant_id text not null,
  app_id text not null,
  -- of session, channel and recipient: a repeated start finds this row; null when the sign-in is over or a newer one has replaced it
  start_hash bytea,
  channel text not null,
  method text not null,
  -- sending → open → proved → done, or failed; a step is skipped where there is nothing to wait for
  state text not null,
  created_at bigint not null,
  expires_at bigint not null,
  resend_after bigint not null,
  -- messages that the gateway accepted
  sent integer not null,
  -- wrong and right codes that were entered
  attempts integer not null,
  -- attempts that were returned, because the code could not be compared
  returned smallint not null default 0,
  -- keyed hashes of the OTP of the last message and of the one before, which may arrive later
  otp_hash bytea,
  previous_otp_hash bytea,
  -- SHA-256 of 128 random bits: of the state of a redirect or the link of a message, and of the code that leads back to the app
  return_hash bytea,
  code_hash bytea,
  -- transaction id, recipient, redirect URL, the gate's decision, secrets of a redirect
  sealed bytea not null,
  -- the proved identities, until the app has fetched them
  sealed_proof bytea
);

create unique index sign_in_by_start on sign_in (tenant_id, start_hash);
create index sign_in_by_expiry on sign_in (expires_at);

-- A row says that a server is starting a sign-in, so that an equal start at another server waits for its answer.
-- Found by the hash of the start, as in sign_in. Deleted when the start has its answer.
create table start_claim (
  start_hash bytea not null primary key,
  -- from then on another server may take it: the one that had it has died
  claimed_until bigint not null
) /* sqlite: without rowid */;

-- A row is how many messages went to one subject in one period. A subject is a phone number, an email address, an IP address, an app, a
-- range of phone numbers or a country. Found by subject and period. Deleted when the period is over.
create table message_count (
  tenant_id text not null,
  -- keyed hash of the subject
  subject_hash bytea not null,
  period_start bigint not null,
  count integer not null,
  period_end bigint not null,
  primary key (tenant_id, subject_hash, period_start)
);

create index message_count_by_end on message_count (period_end);

-- A row is a user who has signed in. Several are one person when the integrator linked them to the same id. Found by id, or by that id.
-- Deleted only by an erasure.
create table app_user (
  tenant_id text not null,
  -- minted here; pages and ID tokens have it
  id text not null,
  created_at bigint not null,
  last_sign_in_at bigint not null,
  -- the profile that an identity provider returned, without the identities
  sealed_profile bytea,
  -- the integrator's id of the person, as a keyed hash and sealed; null: not linked
  customer_hash bytea,
  sealed_customer bytea,
  -- 1: the sign-up of this user made the id known; one user can have been the first
  is_first_of_customer smallint,
  primary key (tenant_id, id)
);

create index app_user_by_customer on app_user (tenant_id, customer_hash);
create unique index app_user_first_of_customer on app_user (tenant_id, customer_hash) where is_first_of_customer = 1;

-- A row is an identity of a user: a phone number, an email address, an account at an identity provider. Found by its keyed hash, or
-- by user. Deleted only by an erasure.
create table identity (
  tenant_id text not null,
  -- keyed hash of type and value
  identity_hash bytea not null,
  user_id text not null,
  created_at bigint not null,
  verified_at bigint not null,
  -- which account at an identity provider vouched for a phone number or email address: the identity_hash of that SUBJECT. The link
  -- ends when this account gets another one. null: the person proved it with a code or a link
  vouched_by bytea,
  -- when the person added it to an earlier sign-in of theirs; null: it came with a sign-in
  added_at bigint,
  -- type and value
  sealed bytea not null,
  primary key (tenant_id, identity_hash)
);

create index identity_by_user on identity (tenant_id, user_id);

-- A row says that a tenant imported a phone number or email address of one of its customers. Found by tenant and contact, for a sign-in or a
-- decision. A contact with two rows is that of several customers and so links nobody. Deleted by an import that says otherwise, or by an erasure.
create table customer_contact (
  tenant_hash bytea not null,
  -- the first 12 bytes of identity_hash of this number or email address, whose last bit says which of both it is
  contact_hash bytea not null,
  -- the first 6 bytes of customer_hash
  owner_hash bytea not null,
  -- the customer's id
  sealed bytea not null,
  primary key (tenant_hash, contact_hash, owner_hash)
) /* sqlite: without rowid */;

-- A row is an imported customer with at least one contact. Found by tenant and customer, for an import, an export or an erasure. Deleted with its contacts.
create table customer (
  tenant_hash bytea not null,
  -- the first 12 bytes of a keyed hash of the customer's id
  customer_hash bytea not null,
  -- the contact_hash of each contact, one after the other; while an import runs also those that it removes
  contacts bytea not null,
  primary key (tenant_hash, customer_hash)
) /* sqlite: without rowid */;

-- A row is an import of customers that runs, or was killed: a tenant has one at a time. Found by tenant. Deleted at its end. An erasure deletes it too,
-- and so stops the import, which could otherwise store again what was erased.
create table customer_import (
  tenant_id text not null primary key,
  -- a UUID
  import_id text not null,
  -- how often it has written: one that stands still was killed
  beats bigint not null
);

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
  -- first use of each endpoint; written only where a token is accepted once
  login_used_at bigint,
  device_used_at bigint,
  -- 1: each of the two endpoints accepts the token once, on every server; set where TOKEN_USES was `once` at issue. null: the setting
  -- of the server that gets the token decides
  single_use smallint,
  -- when its sign-in passed the challenge of a decision; it passes no other one
  challenge_used_at bigint,
  -- when a decision was made with it first
  decided_at bigint,
  revoked_at bigint,
  -- JSON answers of token verification (then a new line and JSON that no answer has) and of secure info, sealed under a key derived
  -- from the token;
  -- null: the token has no sign-in; no device data was collected
  sealed_login bytea,
  sealed_device bytea,
  primary key (shard, bucket, hash)
);

-- A row is a key that signs ID tokens. One series for the whole service, since one issuer has one set of keys. All rows are read at once.
-- Deleted when no ID token that it signed is still valid.
create table signing_key (
  -- 1, 2, 3 …: two servers that make the next key at the same time make one
  generation bigint not null primary key,
  key_id text not null,
  algorithm text not null,
  public_jwk text not null,
  -- the key is published before this time and signs from this time on
  starts_at bigint not null,
  -- sealed under a key of the service
  sealed_private_jwk bytea not null
);
