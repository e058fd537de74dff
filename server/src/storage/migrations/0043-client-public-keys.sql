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
