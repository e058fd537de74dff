-- A row is a device that can be recognised. Found by id, or by the keys of device_key. Deleted when it was not seen for long.
create table device (
  tenant_id text not null,
  -- 16 random bytes; people see them as 32 hex digits
  id bytea not null,
  -- keyed hashes of its components, and of previous values of them (device/identity/fingerprint.ts)
  fingerprint bytea not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  primary key (tenant_id, id)
);

create index device_by_time on device (last_seen_at);

-- A row says that a device has a key, so that a similar device finds it. Found by key. Deleted with the device.
-- A key is a hash under a secret of the tenant: tenants never share one, and the tenant's id would double the table.
create table device_key (
  key bigint not null,
  device_id bytea not null,
  primary key (key, device_id)
) /* sqlite: without rowid */;

-- A row says which of several simultaneous first visits of one device creates it. Found by key. Deleted after a minute.
create table device_claim (
  key bigint not null primary key,
  device_id bytea not null,
  claimed_at bigint not null
);
