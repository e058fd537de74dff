-- Which devices are known, and how is one of them found again? Nothing here can be read without the tenant's keys.

create table device (
  tenant_id text not null,
  -- 16 random bytes; people see them as 32 hex digits
  id bytea not null,
  -- keyed hashes of what the device showed, and of earlier values of it (device/recognition/fingerprint.ts)
  fingerprint bytea not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  primary key (tenant_id, id)
);

-- A key is a hash under a secret of the tenant, so that tenants never share one: their id would double the table.
create table device_key (
  key bigint not null,
  device_id bytea not null,
  primary key (key, device_id)
);

-- Of several first visits of one device at the same moment, one makes the device. Dropped after a minute.
create table device_claim (
  key bigint not null primary key,
  device_id bytea not null,
  claimed_at bigint not null
);
