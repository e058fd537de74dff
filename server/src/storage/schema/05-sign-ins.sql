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
  -- keyed hashes of the OTP of the last message and of the one before, which may arrive later
  otp_hash bytea,
  previous_otp_hash bytea,
  -- SHA-256 of 128 random bits: of the state of a redirect or the link of a message, and of the code that leads back to the app
  return_hash bytea,
  code_hash bytea,
  -- transaction id, recipient, redirect URL, the gate's decision, secrets of a redirect; sealed under the tenant's data key
  sealed bytea not null,
  -- the proved identities, until the app has fetched them
  sealed_proof bytea
);

create unique index sign_in_by_start on sign_in (tenant_id, start_hash);
create index sign_in_by_expiry on sign_in (expires_at);

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
