-- A row is an analysis of a device; once its push has arrived, it is also a report and a visit of the device. Found by dfr_id.
-- Without a push it is deleted when its retention ends. With a push its content is deleted then (sealed is null), and the row is
-- deleted when the retention of visits ends.
--
-- One row for all of it, 8-byte hashes and few indexes, since there are millions.
create table device_analysis (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- the 16 bytes of dfrId: a keyed hash of the SDK's request id, so that a repeated call finds its own row
  dfr_id bytea not null,
  -- 8 bytes of the challenge that the engine call used up
  challenge bytea not null,
  -- 8 bytes of a keyed hash of the engine call, and of the push: a repeated call has the same
  body_hash bytea not null,
  push_hash bytea,
  analysed_at bigint not null,
  -- 8 bytes of keyed hashes of device, account and number; null where none is known
  device_hash bytea,
  account_hash bytea,
  number_hash bytea,
  -- the same of the IP address, and of the prefix around it; null where the IP address is not public
  ip_prefix_hash bytea,
  ip_hash bytea,
  -- of the IP address, ISO 3166-1 alpha-2
  country text,
  -- names of the signals that fired, separated by spaces
  signals text not null,
  -- analysis and report: compressed JSON, sealed under the tenant's data key
  sealed bytea,
  primary key (tenant_hash, dfr_id)
);

-- Of several engine calls with one challenge, on whatever server, one is stored.
create unique index device_analysis_by_challenge on device_analysis (challenge);

-- The visits of a device, and those of an account.
create index device_analysis_by_device on device_analysis (device_hash, analysed_at) where device_hash is not null;
create index device_analysis_by_account on device_analysis (account_hash, analysed_at) where account_hash is not null;

-- The rows whose content is deleted next, and the rows that are deleted next.
create index device_analysis_with_content on device_analysis (analysed_at) where sealed is not null;
create index device_analysis_without_content on device_analysis (analysed_at) where sealed is null;
