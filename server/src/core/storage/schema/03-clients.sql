-- Which backends may call, and how do they prove who they are?

-- A row is a client: a backend that calls the API. Found by id. Never deleted, only revoked.
create table client (
  id text not null primary key,
  tenant_id text not null references tenant (id),
  name text not null,
  -- what the client may do; null: everything, from everywhere, permanently
  -- scopes: names separated by spaces
  scopes text,
  -- IP addresses and CIDR blocks separated by spaces
  allowed_ips text,
  expires_at bigint,
  -- what it may do through the admin API: the name of a role; null: nothing
  role text,
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

-- A row is a public key with which a client signs assertions for the token endpoint of the CAMARA API. Found by client.
-- Deleted when it is removed.
create table client_public_key (
  client_id text not null,
  -- thumbprint of the key (RFC 7638)
  key_id text not null,
  -- JSON Web Key
  jwk text not null,
  created_at bigint not null,
  primary key (client_id, key_id)
) /* sqlite: without rowid */;

-- A row is an assertion that was used. Found by the hash of client and jti. Deleted when the assertion expires, after five minutes.
create table client_assertion (
  assertion_hash bytea not null primary key,
  expires_at bigint not null
) /* sqlite: without rowid */;

create index client_assertion_by_expiry on client_assertion (expires_at);
