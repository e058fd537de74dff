-- A row is the history of a device, or of one of its installations: which accounts, phone numbers, countries and signals were seen, and
-- when last (device/history/seen-values.ts). Found by device and installation. Deleted when the retention of visits ends.
create table device_history (
  -- 8 bytes of keyed hashes; an empty installation_hash is the row of the whole device
  device_hash bytea not null,
  installation_hash bytea not null,
  -- of the row of a device: its only installation so far, which needs no row of its own; null when there are several
  sole_installation_hash bytea,
  first_at bigint not null,
  last_at bigint not null,
  seen bytea not null,
  -- rises with each write: of two concurrent ones, one runs again
  version integer not null,
  primary key (device_hash, installation_hash)
) /* sqlite: without rowid */;

create index device_history_by_time on device_history (last_at);

-- A row is a device that a backend confirmed for an account. Found by account. Deleted when the retention of visits ends, or by the
-- backend.
create table account_device (
  -- 8 bytes of a keyed hash of the user's id
  account_hash bytea not null,
  -- 16 bytes
  device_id bytea not null,
  -- ids of its installations, and when each was confirmed (device/account/confirmed-device.ts)
  installations bytea not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  -- since then it is not trusted; null: it is
  revoked_at bigint,
  -- JSON: what the device is, and the name that its user gave it
  sealed bytea not null,
  primary key (account_hash, device_id)
) /* sqlite: without rowid */;

create index account_device_by_time on account_device (last_seen_at);

-- Which installation a label is about, and when its session was; null in rows from before. Bad labels are read by themselves.
alter table device_label add column installation_hash bytea;
alter table device_label add column visited_at bigint;
create index device_label_bad on device_label (device_hash, known_at) where label <> 'legitimate';

-- The newest labels of a prefix.
create index ip_label_by_prefix on ip_label (tenant_id, ip_prefix_hash, known_at);
