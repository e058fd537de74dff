-- A row is how often something happened at a tenant within a minute or an hour. Found by tenant, length and time.
-- Deleted after a day (minutes) or with the events that it counts (hours).
create table activity_count (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- minute or hour
  span text not null,
  -- epoch milliseconds
  starts_at bigint not null,
  -- action, reason, rule, or a step of a sign-in
  kind text not null,
  -- an action, a code of a reason, the id of a rule, or channel and method of a sign-in
  name text not null,
  amount bigint not null,
  primary key (tenant_hash, span, starts_at, kind, name)
) /* sqlite: without rowid */;

create index activity_count_by_time on activity_count (span, starts_at);

-- A row says up to which event a tenant's activity was counted. Found by tenant. Never deleted.
create table activity_progress (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null primary key,
  -- 16 bytes: this event, and those before it
  counted_to bytea not null
) /* sqlite: without rowid */;
