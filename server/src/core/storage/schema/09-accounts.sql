-- What is usual for an account, and which devices does it trust?

-- A row is what proven sessions show of an account: countries, networks, mobile operators, hours, places (accounts/knowledge.ts).
-- Found by account. Deleted when the retention of visits ends, or by the backend.
create table account_knowledge (
  -- 8 bytes of a keyed hash of the user's id
  account_hash bytea not null primary key,
  last_at bigint not null,
  -- rises with each write: of two concurrent ones, the first counts
  version integer not null,
  sealed bytea not null
) /* sqlite: without rowid */;

create index account_knowledge_by_time on account_knowledge (last_at);

-- A row says that a proven session of an account had a phone number. Found by number. Deleted with the knowledge of the account.
create table account_number (
  -- 8 bytes of keyed hashes
  number_hash bytea not null,
  account_hash bytea not null,
  last_at bigint not null,
  primary key (number_hash, account_hash)
) /* sqlite: without rowid */;

create index account_number_by_account on account_number (account_hash);
create index account_number_by_time on account_number (last_at);

-- A row is a device that a backend confirmed for an account. Found by account, or by device. Deleted when the retention of visits
-- ends, or by the backend.
create table account_device (
  -- 8 bytes of a keyed hash of the user's id
  account_hash bytea not null,
  -- 16 bytes
  device_id bytea not null,
  -- ids of its installations, when each was confirmed, and whether by a key (accounts/devices)
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
-- The accounts of one device, which prove that two devices are one.
create index account_device_by_device on account_device (device_id);
