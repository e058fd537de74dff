-- A row is an installation: what holds a key or a token, such as a browser profile. A device is the installations with its device_id.
-- Found by id, which its token contains, or by device_id. Deleted when the history's retention ends, and after 30 days when a visit
-- that only resembled the device made it and it was never seen again.
create table installation (
  tenant_id text not null,
  -- 16 bytes
  id bytea not null,
  -- 16 bytes
  device_id bytea not null,
  -- the first 16 bytes of SHA-256 of its public key; null without a key
  key_hash bytea,
  -- keyed hashes of its components, and of previous values of them (device/identity/fingerprint.ts), changed by its own visits only;
  -- null while another one of its device is equal, and after a visit that reported too little
  fingerprint bytea,
  -- 53 bits of a keyed hash of the network that the device came from first; null where the device was known before
  network bigint,
  -- which table has the keys of its fingerprint: 0 neither, 1 new_device_key, 2 device_key
  stage integer not null,
  -- 1: a visit made it that resembled the device; 0: it is the device's first
  by_similarity integer not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  primary key (tenant_id, id)
);

create index installation_by_device on installation (device_id);

-- The rows that are deleted next.
create index installation_by_time on installation (last_seen_at);
create index installation_seen_once on installation (first_seen_at) where by_similarity = 1 and first_seen_at = last_seen_at and key_hash is null;

-- How many devices a network made within the last hour.
create index installation_by_network on installation (network, first_seen_at) where network is not null;

-- A row says that a device has a key, as in device_key, which from now on holds only devices with two visits a day apart. Found by key.
-- Deleted with the installation, or when the device moves to device_key. New devices never make a key of device_key full.
create table new_device_key (
  key bigint not null,
  device_id bytea not null,
  primary key (key, device_id)
) /* sqlite: without rowid */;

-- Every device from before becomes its own first installation. The tables device and device_claim are no longer read.
insert into installation (tenant_id, id, device_id, key_hash, fingerprint, network, stage, by_similarity, first_seen_at, last_seen_at)
select tenant_id, id, id, null, fingerprint, null, 2, 0, first_seen_at, last_seen_at from device;
