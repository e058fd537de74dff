-- A row is a person who may sign in to the console. Found by the keyed hash of the email address at sign-in, else by id.
create table person (
  -- random
  id text not null primary key,
  email_hash bytea not null,
  -- JSON: name, email address, password hash and secret of the authenticator app, sealed under the key of the store
  sealed bytea not null,
  -- the last 30 seconds whose code was used: each code works once
  last_code_step bigint not null,
  created_at bigint not null
);
create unique index person_email on person (email_hash);

-- A row is the role of a person in a tenant. Found by person.
create table person_role (
  person_id text not null,
  tenant_id text not null,
  role text not null,
  created_at bigint not null,
  primary key (person_id, tenant_id)
);

-- A row is a recovery code that was not used. Deleted when it is.
create table recovery_code (
  person_id text not null,
  -- keyed
  code_hash bytea not null,
  primary key (person_id, code_hash)
);

-- A row is a one-time link that gives a role. Found by the keyed hash of the link. Deleted when it is used or ends.
create table invitation (
  link_hash bytea not null primary key,
  tenant_id text not null,
  role text not null,
  -- keyed; null: whoever has the link may choose the email address
  email_hash bytea,
  expires_at bigint not null
);

-- A row is a session of the console. Found by the SHA-256 of its token, or by person. Deleted when it ends.
create table console_session (
  token_hash bytea not null primary key,
  person_id text not null,
  started_at bigint not null,
  last_used_at bigint not null,
  ends_at bigint not null
);
create index console_session_person on console_session (person_id);
