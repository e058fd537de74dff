-- Which sites and phone apps have the SDK, and how much may it store?

-- A row is an app that contains the SDK: a website, an iOS app, an Android app. Found by id. Never deleted, only disabled.
create table app (
  id text not null primary key,
  tenant_id text not null references tenant (id),
  name text not null,
  -- JSON arrays and a JSON object
  origins text not null,
  bundle_ids text not null,
  package_names text not null,
  settings text not null,
  created_at bigint not null,
  disabled_at bigint,
  -- sessions of its SDKs that began before this time are refused
  sessions_revoked_before bigint
);

-- The apps of one tenant, in the order of creation.
create index app_by_tenant on app (tenant_id, created_at);

-- People and commands name an app by it. Apps that are disabled give theirs free.
create unique index app_by_name on app (tenant_id, name) where disabled_at is null;

-- A row is an origin of an app. Found by the origin, since a browser's preflight request does not name the app.
-- Replaced with the app.
create table app_origin (
  origin text not null,
  app_id text not null references app (id),
  primary key (origin, app_id)
);

create index app_origin_by_app on app_origin (app_id);

-- A row says how many bytes the SDK calls of an app stored on one day (UTC), on all servers. Found by app and day.
-- Deleted a month later.
create table stored_bytes (
  app_id text not null,
  -- whole days since 1970
  day bigint not null,
  bytes bigint not null,
  primary key (app_id, day)
) /* sqlite: without rowid */;
