-- Which rules does a tenant have, who changed them, and what do they look up and count?

-- A row is a version of a tenant's rules. Found by version. Never changed, never deleted.
create table rule_set (
  tenant_id text not null,
  version integer not null,
  rule_count integer not null,
  created_at bigint not null,
  -- JSON; sealed because a rule may contain a phone number or a user id
  sealed bytea not null,
  -- JSON of the velocities that it declares; null: none
  sealed_velocities bytea,
  primary key (tenant_id, version)
);

-- A row says which version is in a stage. Found by stage. Deleted when the stage ends.
create table rule_stage (
  tenant_id text not null,
  -- draft, shadow or live
  stage text not null,
  -- 0: the rules that come with Ringfence
  version integer not null,
  primary key (tenant_id, stage)
);

-- A row is a draft with a name. Found by tenant. Deleted when its version becomes live, or when somebody discards it.
create table rule_draft (
  tenant_id text not null,
  -- from 1
  number integer not null,
  -- the newest version that was saved of it
  version integer not null,
  -- the version that it began with
  based_on integer not null,
  -- id of the person or client that began it
  owner text not null,
  -- JSON: its name, and the name of its owner
  sealed bytea not null,
  primary key (tenant_id, number)
);

-- A row is a change of a stage: the audit log of the rules. Found by tenant. Never deleted.
create table rule_change (
  tenant_id text not null,
  number integer not null,
  changed_at bigint not null,
  changed_by text not null,
  -- draft, shadow, live or end-shadow
  change text not null,
  version integer not null,
  -- null: the stage was empty
  version_before integer,
  sealed_note bytea,
  primary key (tenant_id, number)
);

-- A row is a request to make a version of the rules live. Found by tenant and number. Never deleted: it says who agreed to which
-- rules.
create table rule_publication (
  tenant_id text not null,
  -- from 1
  number bigint not null,
  version bigint not null,
  -- the version that was live when it was requested; another one meanwhile makes the request stale
  instead_of bigint not null,
  -- open, published, rejected or withdrawn
  state text not null,
  requested_at bigint not null,
  -- id of the person
  requested_by text not null,
  decided_at bigint,
  -- id of the person; the same one when he published alone
  decided_by text,
  -- JSON: name of the person, why, warnings
  sealed bytea not null,
  -- JSON: name of the person who decided, and why
  sealed_decision bytea,
  primary key (tenant_id, number)
);

-- A row says when a tenant needs a second person to publish rules. Found by tenant. Without a row: as soon as there are two.
-- Never deleted.
create table rule_policy (
  tenant_id text not null primary key,
  -- whenSeveral or always
  second_person text not null
);

-- A row is a backtest that a person started in the console. Found by tenant and id. Deleted after 30 days.
create table backtest (
  tenant_id text not null,
  -- random
  id text not null,
  -- running, done, cancelled or failed; a running one whose server has not written for a while was interrupted
  state text not null,
  started_at bigint not null,
  written_at bigint not null,
  -- decisions that were replayed, and how many there are
  done bigint not null,
  total bigint not null,
  -- 1: a person wants it to end
  cancelled smallint not null,
  -- JSON: who started it, and which versions
  sealed bytea not null,
  -- JSON: the result
  sealed_result bytea,
  primary key (tenant_id, id)
);

-- A row is a list of a tenant, whose entries rules look up. Found by id, or by tenant and name. Deleted by the tenant: its name is
-- free at once, and the row goes when its entries are deleted.
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

-- A row is what a key, such as a user, has counted for its velocities (rules/velocities). Found by the key. Deleted within an hour
-- after it has left all windows, by a walk through all keys.
create table velocity_count (
  -- 10 bytes of a keyed hash of the key
  key_hash bytea not null,
  -- 0: a log, to which each decision appends; 1: what was folded from it. A busy key has further pairs: 2 and 3, 4 and 5, 6 and 7
  part integer not null,
  -- how many characters of the log have been folded, counted from a random number
  folded bigint not null,
  -- epoch milliseconds; never becomes earlier
  leaves_at bigint not null,
  -- velocities by hashes of their definitions, with decisions, sums or keyed hashes of distinct values
  content text not null,
  primary key (key_hash, part)
) /* sqlite: without rowid */;
