-- Who may ask, and which telecom answers may be given again.
-- The same text runs on SQLite and PostgreSQL: text, bytea, bigint, smallint, integer, double precision; no sequences.
-- Times are epoch milliseconds. Ids are random text. Every key begins with a tenant or with a random id or hash.

create table tenant (
  id text not null primary key,
  name text not null,
  created_at bigint not null,
  -- the tenant's own keys for look-up and for encryption, wrapped under the master key
  sealed_keys bytea not null
);

create table client (
  id text not null primary key,
  tenant_id text not null references tenant (id),
  name text not null,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint
);

create index client_by_tenant on client (tenant_id, created_at);

-- Two may live at once, so that a secret can be rotated without a gap.
create table client_secret (
  client_id text not null references client (id),
  secret_id text not null,
  secret_hash bytea not null,
  created_at bigint not null,
  revoked_at bigint,
  primary key (client_id, secret_id)
);

-- The number is an HMAC under the tenant's look-up key; what the operator said is AES-256-GCM under its data key.
create table telecom_answer (
  tenant_id text not null,
  number_hash bytea not null,
  question text not null,
  sealed bytea not null,
  answered_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, number_hash, question)
);

create index telecom_answer_by_expiry on telecom_answer (expires_at);
