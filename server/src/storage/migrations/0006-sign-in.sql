-- Who signs in, who has signed in, and how much was sent. Numbers and addresses are HMACs under the tenant's look-up key, and
-- AES-256-GCM under its data key where they are needed again.

create table app_user (
  tenant_id text not null,
  id text not null,
  created_at bigint not null,
  last_sign_in_at bigint not null,
  -- what a provider told of the person beside identities
  sealed_profile bytea,
  primary key (tenant_id, id)
);

create table identity (
  tenant_id text not null,
  -- of type and value
  identity_hash bytea not null,
  user_id text not null,
  sealed bytea not null,
  created_at bigint not null,
  verified_at bigint not null,
  primary key (tenant_id, identity_hash)
);

create index identity_by_user on identity (tenant_id, user_id);

create table sign_in (
  -- the first 16 bytes of SHA-256 of the transaction id, which is nowhere in clear
  id_hash bytea not null primary key,
  tenant_id text not null,
  app_id text not null,
  -- of session, channel and recipient: a start that is repeated finds this one; null when a new one took its place
  start_hash bytea,
  channel text not null,
  method text not null,
  -- sending → open → proved → done, or failed; sending and proved are passed over where there is nothing to wait for
  state text not null,
  created_at bigint not null,
  expires_at bigint not null,
  resend_after bigint not null,
  -- messages that were taken over
  sent integer not null,
  tries integer not null,
  -- keyed hashes of the OTP of the last message and of the one before, which may arrive later
  otp_hash bytea,
  previous_otp_hash bytea,
  -- SHA-256 of 128 random bits: of the state of a redirect or the link of a message, and of the code that leads back to the app
  return_hash bytea,
  code_hash bytea,
  -- transaction id, recipient, address to lead back to, what the gate found, secrets of a redirect
  sealed bytea not null,
  -- the identities that were proved, until they are fetched
  sealed_proof bytea
);

create unique index sign_in_by_start on sign_in (tenant_id, start_hash);
create index sign_in_by_expiry on sign_in (expires_at);

-- How often something was asked for in a period: of a number, an address, an app, a range of numbers.
create table message_count (
  tenant_id text not null,
  -- keyed hash of what is counted
  subject_hash bytea not null,
  period_start bigint not null,
  count integer not null,
  ends_at bigint not null,
  primary key (tenant_id, subject_hash, period_start)
);

create index message_count_by_end on message_count (ends_at);
