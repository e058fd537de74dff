-- A row says how many bytes the SDK calls of an app stored on one day (UTC), on all servers. Found by app and day.
-- Deleted a month later.
create table stored_bytes (
  app_id text not null,
  -- whole days since 1970
  day bigint not null,
  bytes bigint not null,
  primary key (app_id, day)
) /* sqlite: without rowid */;
