-- A row is a phone number that a tenant watches. Found by id, by the keyed hash of the number, or as the next that is due. Deleted by the
-- tenant, with the person, or when it has ended.
create table number_watch (
  tenant_id text not null,
  id bytea not null,
  number_hash bytea not null,
  -- names of checks, separated by commas
  checks text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- when the next check is due; while a server polls it, when another one may take over
  due_at bigint not null,
  -- random: of the server that polls it now
  claim bytea,
  -- JSON: number, reference, and what was known of each check; sealed under the tenant's data key
  sealed bytea not null,
  primary key (tenant_id, id)
);
create unique index number_watch_number on number_watch (tenant_id, number_hash);
create index number_watch_due on number_watch (tenant_id, due_at);
create index number_watch_checks on number_watch (tenant_id, checks);
create index number_watch_end on number_watch (expires_at);

-- A row is how many requests the watches of a tenant have made on a day. Found by tenant and day. Deleted a day later.
create table watch_request_count (
  tenant_id text not null,
  -- days since 1970, in UTC
  day bigint not null,
  used bigint not null,
  primary key (tenant_id, day)
);
