-- A row is the demo of a tenant: a month of made-up traffic, which `serve --sandbox` makes in an empty store. Found by tenant.
-- Never deleted, so that a removed demo is not made again.
create table demo (
  tenant_id text not null primary key,
  -- making, made, removing or removed
  state text not null,
  -- the first start: all traffic of the store from before is the demo's
  until_at bigint not null,
  -- until then a process is making it, unless it says so again
  maker_until bigint not null,
  sessions_planned bigint not null,
  sessions_made bigint not null,
  decisions_made bigint not null,
  people bigint not null
);
