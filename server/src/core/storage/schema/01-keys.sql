-- Whose data is it, and which keys seal it?
--
-- One statement text for SQLite and PostgreSQL. Types: text, bytea, bigint, smallint, integer, double precision. No sequences.
-- What only one of them accepts is in a comment: /* sqlite: … */, /* postgres: … */.
-- Times are epoch milliseconds, ids are random text. A large sealed column is the last one of its table.
-- A primary key begins with a tenant, or with a random id or a hash, so that a sharded engine can spread the rows.
-- "Sealed" is AES-256-GCM under the data key of the tenant. "Keyed hash" is an HMAC under the look-up key of the tenant.

-- A row is a tenant: an organisation with its own clients, apps and keys. Found by id. Never deleted.
create table tenant (
  id text not null primary key,
  name text not null,
  created_at bigint not null,
  -- the tenant's look-up key and data key, sealed under the key of the store
  sealed_keys bytea not null
);

-- A row is the keys of the store: what seals the keys of each tenant and secrets of the service, and what hashes client secrets.
-- Found by id, which is 1: there is one row. Made at the first start, never deleted.
create table store_key (
  id integer not null primary key,
  -- id of the master key; it reveals nothing of the key
  wrapped_by text not null,
  -- 32 random bytes, wrapped by the master key
  wrapped_key bytea not null,
  -- the keys, sealed under those bytes
  sealed_keys bytea not null
);

-- A row is the rotation of a tenant's data key, while it lasts. Found by tenant. Deleted with the previous data key.
create table key_rotation (
  tenant_id text not null primary key,
  -- the data key that rows are sealed with until they are re-sealed, and the one that replaces it
  from_version smallint not null,
  to_version smallint not null,
  -- published → sealing → resealing → checking
  step text not null,
  -- JSON: the table that is re-sealed, and the last row that is; it changes with each slice
  position text not null,
  -- rows that were read, and rows that were sealed again
  rows_read bigint not null,
  rows_resealed bigint not null,
  started_at bigint not null
);
