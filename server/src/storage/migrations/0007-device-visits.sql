-- What has become of a device? Its visits, each with whom it was used by and how risky it was.

create table device_visit (
  tenant_id text not null,
  -- HMAC under the tenant's look-up key
  device_hash bytea not null,
  visited_at bigint not null,
  -- of its report
  dfr_id text not null,
  -- HMACs under the tenant's look-up key; null where the app told none
  account_hash bytea,
  number_hash bytea,
  -- of the address, ISO 3166-1 alpha-2
  country text,
  -- sessionRiskScore, 0 to 100
  risk double precision not null,
  primary key (tenant_id, device_hash, visited_at, dfr_id)
);

create index device_visit_by_time on device_visit (visited_at);

-- Which device was it? Asked when the outcome of a report is told, long after the report is gone.
create index device_visit_by_report on device_visit (tenant_id, dfr_id);

-- The devices of an account, each once.
create table account_device (
  tenant_id text not null,
  account_hash bytea not null,
  device_hash bytea not null,
  last_visit_at bigint not null,
  primary key (tenant_id, account_hash, device_hash)
);

create index account_device_by_time on account_device (last_visit_at);
