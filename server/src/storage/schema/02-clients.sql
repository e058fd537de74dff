-- A row is a client: a backend that calls the API. Found by id. Never deleted, only revoked.
create table client (
  id text not null primary key,
  tenant_id text not null references tenant (id),
  name text not null,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint
);

-- The clients of one tenant, in the order of creation.
create index client_by_tenant on client (tenant_id, created_at);

-- A row is a secret of a client; two may be valid at once, so that a rotation leaves no gap. Found by the hash of the secret.
-- Never deleted, only revoked.
create table client_secret (
  client_id text not null references client (id),
  secret_id text not null,
  secret_hash bytea not null,
  created_at bigint not null,
  revoked_at bigint,
  primary key (client_id, secret_id)
);

-- An unknown client and a wrong secret take the same steps to find no row.
create unique index client_secret_by_hash on client_secret (secret_hash);
