-- Who may use the console, what did they change, and what does its overview count?

-- A row is a person who may sign in to the console. Found by the keyed hash of the email address at sign-in, else by id. An email
-- address may have a person in each tenant. Deleted when the person is removed from the last tenant.
create table person (
  -- random
  id text not null primary key,
  email_hash bytea not null,
  -- the last 30 seconds whose code was used: each code works once
  last_code_step bigint not null,
  created_at bigint not null,
  -- null: not yet
  last_sign_in_at bigint,
  -- JSON: name, email address, password hash and secret of the authenticator app, sealed under the key of the store
  sealed bytea not null
);

create index person_address on person (email_hash);

-- A row is the role of a person in a tenant. Found by person, or by tenant. Deleted when the person is removed from the tenant.
create table person_role (
  person_id text not null,
  tenant_id text not null,
  role text not null,
  -- nobody overwrites what somebody else has changed
  version bigint not null default 1,
  -- that of the person: two people of a tenant never have the same
  email_hash bytea,
  created_at bigint not null,
  primary key (person_id, tenant_id)
);

create index person_role_tenant on person_role (tenant_id);
create unique index person_role_address on person_role (tenant_id, email_hash);

-- A row is a role that a tenant has made. Found by tenant and name. Deleted when the role is removed, which nobody may have then.
create table own_role (
  tenant_id text not null,
  name text not null,
  -- names of permissions, separated by spaces
  permissions text not null,
  version bigint not null,
  created_at bigint not null,
  -- the description
  sealed bytea not null,
  primary key (tenant_id, name)
);

-- A row is a recovery code that was not used. Found by person. Deleted when it is used.
create table recovery_code (
  person_id text not null,
  -- keyed
  code_hash bytea not null,
  primary key (person_id, code_hash)
);

-- A row is a passkey of a person. Found by the keyed hash of its credential id at sign-in, else by person. Deleted with the person, by a
-- reset, or when the person removes it.
create table passkey (
  credential_hash bytea not null primary key,
  person_id text not null,
  -- how often it has signed, as it says itself; many always say 0
  counter bigint not null,
  created_at bigint not null,
  -- null: not yet
  last_used_at bigint,
  -- JSON: credential id, public key, transports, name and whether it is backed up; sealed under the key of the store
  sealed bytea not null
);

create index passkey_person on passkey (person_id);

-- A row is a challenge that a passkey has answered: it cannot be answered again. Found by its keyed hash. Deleted when the challenge ends.
create table used_challenge (
  challenge_hash bytea not null primary key,
  ends_at bigint not null
);

-- A row is a one-time link that gives a role, or that resets password and second factor of somebody. Found by the keyed hash of the
-- link, or by tenant. Deleted when it is used or ends.
create table invitation (
  link_hash bytea not null primary key,
  tenant_id text not null,
  role text not null,
  -- keyed; null: whoever has the link may choose the email address
  email_hash bytea,
  -- whose password and second factor the link resets; null: it is for somebody new
  person_id text,
  -- the actor; their open links end when they are removed or get another role. null: a command made it
  invited_by text,
  created_at bigint,
  expires_at bigint not null,
  -- JSON: who invited, and the email address
  sealed bytea
);

create index invitation_tenant on invitation (tenant_id);

-- A row is a session of the console. Found by the SHA-256 of its token, or by person. Deleted when it ends.
create table console_session (
  token_hash bytea not null primary key,
  person_id text not null,
  started_at bigint not null,
  -- when the person of the session proved again who they are; null: not since the sign-in
  confirmed_at bigint,
  last_used_at bigint not null,
  ends_at bigint not null
);

create index console_session_person on console_session (person_id);

-- A row is the identity provider with which people of a tenant sign in to the console. Found by tenant, or by id at a sign-in. Deleted
-- when an owner removes it.
create table single_sign_on (
  tenant_id text not null primary key,
  -- random
  id text not null,
  issuer text not null,
  -- 1: people can sign in with it
  enabled smallint not null,
  -- 1: the sign-in page offers it to everybody
  listed smallint not null,
  -- who may still use the tenant with a password or passkey: allowed or ownersOnly
  passwords text not null,
  version bigint not null,
  -- JSON: name, client id and secret, scopes, claim, roles of groups
  sealed bytea not null
);

create unique index single_sign_on_id on single_sign_on (id);

-- A row is a single sign-on that is done: it cannot be finished again. Found by the hash of its state. Deleted after ten minutes.
create table sso_done (
  state_hash bytea not null primary key,
  expires_at bigint not null
);

-- A row is a change through the admin API that was made with an Idempotency-Key. Found by tenant and the keyed hash of actor, endpoint
-- and key. Deleted a day later.
create table admin_call (
  tenant_id text not null,
  key_hash bytea not null,
  -- keyed
  body_hash bytea not null,
  ends_at bigint not null,
  -- JSON: the answer and its version; null until the change is made
  sealed bytea,
  primary key (tenant_id, key_hash)
);

-- A row is a line of a tenant's audit log: who changed what through the admin API, and who signed in to the console. Found by tenant
-- and number. Not deleted, and changed only where details are erased: `ringfence audit verify` recomputes the chain of hashes.
create table audit_line (
  tenant_id text not null,
  -- from 1, without gaps
  number bigint not null,
  at bigint not null,
  -- `person:<id>`, `client:<id>` or `command:<user name>`
  actor text not null,
  action text not null,
  -- SHA-256 of the sealed text, which begins with a random part
  content_hash bytea not null,
  -- keyed hash of this line and the hash of the line before
  hash bytea not null,
  -- JSON; null: erased
  sealed bytea,
  primary key (tenant_id, number)
);

-- A row says where the audit log of a tenant ends, so that lines missing at its end are found. Found by tenant. Changed with each line;
-- not deleted.
create table audit_head (
  tenant_id text not null primary key,
  -- number of the last line
  number bigint not null,
  -- keyed hash of the number and the last line's hash
  hash bytea not null
);

-- A row is how often something happened at a tenant within a minute or an hour. Found by tenant, length and time.
-- Deleted after a day (minutes) or with the events that it counts (hours).
create table activity_count (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- minute or hour
  span text not null,
  -- epoch milliseconds
  starts_at bigint not null,
  -- action, reason, rule, or a step of a sign-in
  kind text not null,
  -- an action, a code of a reason, the id of a rule, or channel and method of a sign-in
  name text not null,
  amount bigint not null,
  primary key (tenant_hash, span, starts_at, kind, name)
) /* sqlite: without rowid */;

create index activity_count_by_time on activity_count (span, starts_at);

-- A row says up to which event a tenant's log was folded into counts and entities. Found by tenant. Never deleted.
create table activity_progress (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null primary key,
  -- 16 bytes: this event, and those before it
  counted_to bytea not null,
  -- rises with each erasure: a page of events that was read before it is not written after it
  turn bigint not null default 0,
  -- of a rebuild: it began with this day, in epoch milliseconds, and ends with this event
  rebuilt_from bigint not null default 0,
  rebuilt_to bytea
) /* sqlite: without rowid */;

-- A row is how often something happened to decisions of an hour or day. Found by tenant and time. Hours are deleted after 90 days, days
-- after two years.
create table performance_count (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- hour or day
  span text not null,
  -- epoch milliseconds
  starts_at bigint not null,
  -- decision, passed, label, fired, check and others of admin/store/performance-counts.ts
  kind text not null,
  -- of a check its outcome, of its latency the end of the bucket in milliseconds
  action text not null,
  -- other: beyond the limit of different ones; empty: not known
  operation text not null,
  app text not null,
  country text not null,
  -- the label, rule, currency, outcome or check that is counted
  name text not null,
  amount bigint not null,
  -- sum of what is measured: seconds of a review, hundredths of a currency, millionths of it for checks
  total bigint not null,
  primary key (tenant_hash, span, starts_at, kind, action, operation, app, country, name)
) /* sqlite: without rowid */;

create index performance_count_by_time on performance_count (span, starts_at);

-- A row is a value that counts have of their own: later ones beyond the limit are counted as other. Found by tenant. Never deleted.
create table counted_value (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- operation, app or country
  dimension text not null,
  value text not null,
  primary key (tenant_hash, dimension, value)
) /* sqlite: without rowid */;

-- A row is the last label of a decision, or of a report without one, as it was counted: another one replaces it. Found by tenant and
-- subject. Deleted two years after the decision, or with the person.
create table folded_label (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- 16 bytes: decisionId or dfrId
  subject bytea not null,
  decided_at bigint not null,
  label text not null,
  -- the label that became known last counts
  known_at bigint not null,
  primary key (tenant_hash, subject)
) /* sqlite: without rowid */;

create index folded_label_by_time on folded_label (decided_at);

-- A row is what the event log says of a user, device or number. Found by its hash, or as the riskiest, newest or most shared. Deleted
-- when its last event is, or with the person.
create table entity (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- user, device or number
  kind text not null,
  -- 8 bytes of a keyed hash, as in event
  hash bytea not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  decisions bigint not null,
  refused bigint not null,
  bad_labels bigint not null,
  good_labels bigint not null,
  -- users of a device or number, devices of a user
  shared bigint not null,
  -- of bad labels and refused decisions, to sort by
  risk bigint not null,
  -- JSON: the value that is shown, its reasons, and decisions and labels of the last days
  sealed bytea not null,
  primary key (tenant_hash, kind, hash)
);

create index entity_by_risk on entity (tenant_hash, kind, risk, hash);
create index entity_by_first_seen on entity (tenant_hash, kind, first_seen_at, hash);
create index entity_by_last_seen on entity (tenant_hash, kind, last_seen_at, hash);
create index entity_by_shared on entity (tenant_hash, kind, shared, hash);
create index entity_by_age on entity (last_seen_at);

-- A row says that a user was seen with a device or number. Found by either. Deleted with either.
create table entity_link (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- device or number
  kind text not null,
  hash bytea not null,
  user_hash bytea not null,
  primary key (tenant_hash, kind, hash, user_hash)
) /* sqlite: without rowid */;

create index entity_link_by_user on entity_link (tenant_hash, user_hash);

-- A row is the demo for a tenant: a tenant of its own with a month of made-up traffic, which `serve --sandbox` makes in an empty store.
-- Found by either tenant. Never deleted, so that a removed demo is not made again.
create table demo (
  -- whom it is shown to
  tenant_id text not null primary key,
  -- null: not begun, or removed
  demo_tenant_id text,
  -- making, made, removing or removed
  state text not null,
  -- the first start: all traffic of the demo is older
  until_at bigint not null,
  -- until then a process is making it, unless it says so again
  maker_until bigint not null,
  sessions_planned bigint not null,
  sessions_made bigint not null,
  decisions_made bigint not null,
  people bigint not null
);
