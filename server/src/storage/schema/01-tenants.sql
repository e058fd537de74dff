-- One statement text for SQLite and PostgreSQL. Types: text, bytea, bigint, smallint, integer, double precision. No sequences.
-- What only SQLite accepts is in a comment: /* sqlite: … */. Times are epoch milliseconds, ids are random text.
-- A primary key begins with a tenant, or with a random id or a hash, so that a sharded engine can spread the rows.
-- "Sealed" is AES-256-GCM. "Keyed hash" is an HMAC under the look-up key of the tenant.

-- A row is a tenant: an organisation with its own clients, apps and keys. Found by id. Never deleted.
create table tenant (
  id text not null primary key,
  name text not null,
  created_at bigint not null,
  -- the tenant's look-up key and data key, sealed under the master key
  sealed_keys bytea not null
);
