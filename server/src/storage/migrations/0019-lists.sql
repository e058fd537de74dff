-- A row is a list of a tenant, whose entries rules look up. Found by id, or by tenant and name. Deleted by the tenant: its name is free at
-- once, and the row goes when its entries are deleted.
create table value_list (
  -- 16 random bytes
  id bytea not null primary key,
  tenant_id text not null,
  -- of a deleted list: its id
  name text not null,
  -- what its entries are, and what it is for (contract/src/lists.ts)
  kind text not null,
  purpose text not null,
  -- rises with each change of entries: servers read the entries that have changed since theirs
  version bigint not null,
  -- a server with an older version reads all entries again, because removed ones are deleted
  complete_since bigint not null,
  entry_count bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  deleted_at bigint,
  -- JSON: description and author
  sealed bytea not null
);

create unique index value_list_by_name on value_list (tenant_id, name);
create index value_list_deleted on value_list (deleted_at) where deleted_at is not null;

-- A row is a value in a list, or one that was removed. Found by list and hash. Deleted an hour after it expired or was removed.
create table list_entry (
  list_id bytea not null,
  -- 8 bytes of a keyed hash of the value
  value_hash bytea not null,
  tenant_hash bytea not null,
  -- of the list, when the entry was changed
  version bigint not null,
  added_at bigint not null,
  -- null: never; of a removed one: when it was removed
  expires_at bigint,
  removed integer not null,
  -- JSON: value, note and author; only the value when it was removed
  sealed bytea not null,
  primary key (list_id, value_hash)
) /* sqlite: without rowid */;

create index list_entry_by_version on list_entry (list_id, version, value_hash);
create index list_entry_by_expiry on list_entry (expires_at) where expires_at is not null;
