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
  disabled_at bigint
);

-- The apps of one tenant, in the order of creation.
create index app_by_tenant on app (tenant_id, created_at);

-- A row is an origin of an app. Found by the origin, since a browser's preflight request does not name the app.
-- Replaced with the app.
create table app_origin (
  origin text not null,
  app_id text not null references app (id),
  primary key (origin, app_id)
);

create index app_origin_by_app on app_origin (app_id);

-- A row is an App Attest key: one installation of an iOS app, vouched for by Apple. Found by app and key id. Never deleted.
create table attested_key (
  app_id text not null references app (id),
  key_id text not null,
  -- DER, SubjectPublicKeyInfo
  public_key bytea not null,
  -- of the last assertion; it only rises
  counter bigint not null,
  attested_at bigint not null,
  primary key (app_id, key_id)
);
