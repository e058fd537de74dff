-- Whose SDKs call, in which sessions, and what became known of their devices.

create table app (
  id text not null primary key,
  tenant_id text not null references tenant (id),
  name text not null,
  -- JSON: what the app is known by, and its settings
  origins text not null,
  bundle_ids text not null,
  package_names text not null,
  settings text not null,
  created_at bigint not null,
  disabled_at bigint
);

create index app_by_tenant on app (tenant_id, created_at);

-- May a page of this origin ask at all? A browser asks before it tells any app id.
create table app_origin (
  origin text not null,
  app_id text not null references app (id),
  primary key (origin, app_id)
);

create index app_origin_by_app on app_origin (app_id);

-- The key is the first 16 bytes of SHA-256 of the session's bearer token; sessions live for minutes, so the table stays small.
create table sdk_session (
  hash bytea not null primary key,
  id text not null,
  app_id text not null,
  platform text not null,
  package_name text not null,
  -- SHA-256 of the challenge that the next engine call has to bring
  challenge_hash bytea not null,
  expires_at bigint not null
);

create index sdk_session_by_expiry on sdk_session (expires_at);

-- What a device was at one moment: facts, headers, network, verdicts and the answer; JSON, AES-256-GCM under the tenant's data key.
create table device_analysis (
  tenant_id text not null,
  -- made by the SDK
  request_id text not null,
  app_id text not null,
  session_id text not null,
  -- HMAC of the request under the tenant's look-up key: is it the same again?
  body_hash bytea not null,
  sealed bytea not null,
  analysed_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, request_id)
);

create index device_analysis_by_expiry on device_analysis (expires_at);

-- What the push added to an analysis. dfr_id is a keyed hash of the request id, so that a repeated push meets its own row.
create table device_report (
  tenant_id text not null,
  dfr_id text not null,
  request_id text not null,
  body_hash bytea not null,
  -- params and updateInfo; JSON, sealed as above
  sealed bytea not null,
  pushed_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, dfr_id)
);

create index device_report_by_expiry on device_report (expires_at);
