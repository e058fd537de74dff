-- One row for what a device was at one moment: an analysis, and from its push on a report and a visit of the device. Short keyed hashes
-- and few indexes, since there are millions. What was kept in four tables is forgotten, as nothing of devices has been released
-- yet and only the service, by the tenants' keys, could tell the new keys of it.
drop table device_report;
drop table device_analysis;
drop table device_visit;
drop table account_device;
delete from device_outcome;

delete from address_outcome;

create table device_analysis (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- the 16 bytes of dfrId: a keyed hash of the request id that the SDK made, so that a repeated call meets its own row
  dfr_id bytea not null,
  -- 8 bytes of the challenge that it took
  challenge bytea not null,
  -- 8 bytes of an HMAC of the engine call, and of the push, under the tenant's look-up key: is it the same again?
  body_hash bytea not null,
  push_hash bytea,
  analysed_at bigint not null,
  -- 8 bytes of HMACs under the tenant's look-up key: device, account, number; null where nobody told
  device_hash bytea,
  account_hash bytea,
  number_hash bytea,
  -- the same of the prefix around the address and of the address; null where it is not public
  prefix_hash bytea,
  address_hash bytea,
  -- of the address, ISO 3166-1 alpha-2
  country text,
  -- names of those that fired, separated by spaces
  signals text not null,
  -- what was made of facts, headers and network, and the report: compressed JSON, AES-256-GCM under the tenant's data key.
  -- null: forgotten, only the visit is remembered
  sealed bytea
);

create unique index device_analysis_by_dfr_id on device_analysis (tenant_hash, dfr_id);

-- Of several calls with one challenge, in whatever processes, one can be kept.
create unique index device_analysis_by_challenge on device_analysis (challenge);

-- The visits of a device, and those of an account.
create index device_analysis_by_device on device_analysis (device_hash, analysed_at) where device_hash is not null;
create index device_analysis_by_account on device_analysis (account_hash, analysed_at) where account_hash is not null;

-- What has to be forgotten next, content and visits.
create index device_analysis_sealed on device_analysis (analysed_at) where sealed is not null;
create index device_analysis_forgotten on device_analysis (analysed_at) where sealed is null;

-- A challenge shows by itself that it is of its session.
alter table sdk_session drop column challenge_hash;
