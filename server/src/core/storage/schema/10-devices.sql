-- Which devices were seen, how are they recognised, and how did their sessions turn out?

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
  -- in thousandths: how sure that visit was; null for the first of a device
  confidence integer,
  -- the device that its device resembled when it was new, and in thousandths how much; null without one
  likely_device_id bytea,
  likely_confidence integer,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  -- last_seen_at, or an earlier one: only retention changes it, so that a visit changes no index (core/storage/unseen.ts)
  retention_at bigint not null,
  -- last_seen_at of one that resembled a device when it was new; null for all others, so that a visit changes no index
  seen_in_doubt_at bigint,
  primary key (tenant_id, id)
) /* postgres: with (fillfactor = 90) */;

create index installation_by_device on installation (device_id);

-- The rows that are deleted next.
create index installation_by_time on installation (retention_at);
create index installation_seen_once on installation (first_seen_at) where by_similarity = 1 and first_seen_at = retention_at and key_hash is null;

-- Which devices resembled this one when they were new, and which of those were seen lately.
create index installation_by_likely on installation (likely_device_id, first_seen_at) where likely_device_id is not null;
create index installation_in_doubt on installation (seen_in_doubt_at) where seen_in_doubt_at is not null;

-- How many devices a network made within the last hour.
create index installation_by_network on installation (network, first_seen_at) where network is not null;

-- A row says that two devices turned out to be one: the newer id is another name of the older one. Found by either. Deleted with the
-- device: when it is erased, and when its last installation expires.
create table device_alias (
  tenant_id text not null,
  -- 16 bytes each
  alias_id bytea not null,
  device_id bytea not null,
  merged_at bigint not null,
  primary key (tenant_id, alias_id)
) /* sqlite: without rowid */;

create index device_alias_by_device on device_alias (tenant_id, device_id);

-- A row says that a device with two visits a day apart has a key, so that a similar device finds it. Found by key. Deleted with the
-- installation. A key is a hash under a secret of the tenant: tenants never share one, and the tenant's id would double the table.
create table device_key (
  key bigint not null,
  device_id bytea not null,
  primary key (key, device_id)
) /* sqlite: without rowid */;

-- A row says the same of a newer device. Found by key. Deleted with the installation, or when the device moves to device_key. So new
-- devices never make a key of device_key full.
create table new_device_key (
  key bigint not null,
  device_id bytea not null,
  primary key (key, device_id)
) /* sqlite: without rowid */;

-- A row is what a tenant's own traffic taught about the weights of recognition, for a tenant that ever used it. Found by tenant. Never
-- deleted.
create table device_learning (
  tenant_id text not null primary key,
  -- off, used or frozen
  state text not null,
  -- rises with each change: every server that has this revision compares by the same weights
  revision integer not null,
  -- JSON: by how many nats weights and confidences move (device/learning)
  content text not null,
  -- epoch milliseconds
  learned_at bigint not null
);

-- A row is an App Attest key: one installation of an iOS app, vouched for by Apple. Found by app and key id. Deleted with its device, and
-- DEVICE_HISTORY_DAYS after its last use.
create table attested_key (
  app_id text not null references app (id),
  key_id text not null,
  -- DER, SubjectPublicKeyInfo
  public_key bytea not null,
  -- of the last assertion; it only rises
  counter bigint not null,
  -- the id by which the phone of this key was known at its first proof, as `<kind> <device id>`; null until a proof comes with an id
  device text,
  -- the start of a day, epoch milliseconds
  last_used_at bigint not null,
  primary key (app_id, key_id)
) /* sqlite: without rowid */;

-- For retention, and for the keys of a device, day by day: a second index would cost each new key another page.
create index attested_key_by_use on attested_key (last_used_at, device);

-- A row is a key of the Android Keystore: one installation of an Android app, trusted on first use or attested. Found by app and the hash of the
-- public key. Deleted as those of App Attest.
create table keystore_key (
  app_id text not null references app (id),
  -- the first 16 bytes of SHA-256 of the public key
  key_hash bytea not null,
  -- as in attested_key
  device text,
  -- the start of a day, epoch milliseconds
  last_used_at bigint not null,
  -- JSON: what the certificates of the key said of the phone, and their serials, which may be revoked later; null without good ones
  attested text,
  primary key (app_id, key_hash)
) /* sqlite: without rowid */;

-- As of attested_key.
create index keystore_key_by_use on keystore_key (last_used_at, device);

-- A row is an id that a phone stores, or the certificate that attests its keys, and the device that it named first. Found by id. Deleted DEVICE_HISTORY_DAYS after its last use.
create table phone_id (
  tenant_id text not null,
  -- 16 bytes of a keyed hash
  id bytea not null,
  -- 16 bytes: its own id, or that of the id that names the device
  device_id bytea not null,
  -- as in installation, where the id made the device; null for another id of it
  network bigint,
  -- the device that another id of the phone named when this one made its own
  likely_device_id bytea,
  -- 1: of the certificate; it makes no device
  is_certificate integer not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  -- as in installation
  retention_at bigint not null,
  primary key (tenant_id, id)
) /* sqlite: without rowid */ /* postgres: with (fillfactor = 90) */;

create index phone_id_by_device on phone_id (device_id);

-- For retention.
create index phone_id_by_time on phone_id (retention_at);

-- How many devices a network made lately.
create index phone_id_by_network on phone_id (network, first_seen_at) where network is not null;

-- How many devices an id that they share made lately.
create index phone_id_by_likely on phone_id (likely_device_id, first_seen_at) where likely_device_id is not null;

-- A row is an analysis of a device; once its push has arrived, it is also a report and a visit of the device. Found by dfr_id.
-- Without a push it is deleted when its retention ends. With a push its content is deleted then (sealed is null), and the row is
-- deleted when the retention of visits ends.
--
-- One row for all of it, 8-byte hashes and few indexes, since there are millions. The accounts and numbers of a device are in
-- account_device and device_history.
create table device_analysis (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- the 16 bytes of dfrId: a keyed hash of the SDK's request id, so that a repeated call finds its own row
  dfr_id bytea not null,
  -- the challenge that the engine call used up: the day of its session in 2 bytes, so that rows of a day lie together, then 8 of it
  challenge bytea not null,
  -- 8 bytes of a keyed hash of the engine call, and of the push: a repeated call has the same
  body_hash bytea not null,
  push_hash bytea,
  analysed_at bigint not null,
  -- 8 bytes of keyed hashes of device and installation; null where nothing identifies them
  device_hash bytea,
  installation_hash bytea,
  -- of a phone: 1 where its hardware attested the key, else 0; null of a browser
  attested integer,
  -- the same of the IP address, and of the prefix around it; null where the IP address is not public
  ip_prefix_hash bytea,
  ip_hash bytea,
  -- of the IP address, ISO 3166-1 alpha-2
  country text,
  -- names of the signals that fired, separated by spaces
  signals text not null,
  -- analysis and report: compressed JSON
  sealed bytea,
  -- whose decisions named the report: up to three keyed hashes of 8 bytes; null before the first, and without content
  subjects bytea,
  primary key (tenant_hash, dfr_id)
);

-- Of several engine calls with one challenge, on whatever server, one is stored.
create unique index device_analysis_by_challenge on device_analysis (challenge);

-- The visits of a device, by day (device/store/rows-of-device.ts), and within a day by time: a program may make many.
create index device_analysis_by_device on device_analysis ((analysed_at / 86400000), device_hash, analysed_at) where device_hash is not null;

-- The rows whose content is deleted next, and the rows that are deleted next.
create index device_analysis_with_content on device_analysis (analysed_at) where sealed is not null;
create index device_analysis_without_content on device_analysis (analysed_at) where sealed is null;

-- A row is the history of a device, or of one of its installations: which accounts, phone numbers, countries and signals were seen,
-- and when last (device/history/seen-values.ts). Found by device and installation. Deleted when the retention of visits ends.
create table device_history (
  -- 8 bytes of keyed hashes; an empty installation_hash is the row of the whole device
  device_hash bytea not null,
  installation_hash bytea not null,
  -- of the row of a device: its only installation so far, which needs no row of its own; null when there are several
  sole_installation_hash bytea,
  first_at bigint not null,
  last_at bigint not null,
  -- as in installation
  retention_at bigint not null,
  -- rises with each write: of two concurrent ones, one runs again
  version integer not null,
  seen bytea not null,
  -- more of it, which decisions appended without reading the row: 15 bytes in 20 characters of base64 each
  appended text not null default '',
  primary key (device_hash, installation_hash)
) /* sqlite: without rowid */ /* postgres: with (fillfactor = 90) */;

create index device_history_by_time on device_history (retention_at);

-- A row is the label of a report: how the session turned out. Rules are tested against it. Found by request id or dfrId.
-- Deleted when its retention ends.
create table report_label (
  tenant_id text not null,
  report_id text not null,
  -- requestId or dfrId
  id_kind text not null,
  label text not null,
  -- when the session turned out so, and when the label arrived
  known_at bigint not null,
  labelled_at bigint not null,
  primary key (tenant_id, report_id, id_kind)
);

create index report_label_by_time on report_label (labelled_at);

-- A row is the label of one report, for the history of its device. Found by device. Deleted with the visits of that time.
create table device_label (
  tenant_id text not null,
  -- keyed hash of the device's id
  device_hash bytea not null,
  dfr_id text not null,
  label text not null,
  known_at bigint not null,
  -- which installation the label is about, whether it was attested (as in device_analysis), and when its session was
  installation_hash bytea,
  attested integer,
  visited_at bigint,
  primary key (tenant_id, device_hash, dfr_id)
);

create index device_label_by_time on device_label (known_at);
-- Bad labels are read by themselves.
create index device_label_bad on device_label (device_hash, known_at) where label <> 'legitimate';

-- A row is the label of one report, for the history of its IP address. Found by the prefix. Deleted with the visits of that time.
create table ip_label (
  tenant_id text not null,
  -- 8 bytes of keyed hashes of the prefix around the IP address, and of the IP address
  ip_prefix_hash bytea not null,
  ip_hash bytea not null,
  dfr_id text not null,
  label text not null,
  known_at bigint not null,
  primary key (tenant_id, ip_prefix_hash, dfr_id)
);

-- The newest labels of a tenant, for its base rate.
create index ip_label_by_tenant on ip_label (tenant_id, known_at);
-- The newest labels of a prefix.
create index ip_label_by_prefix on ip_label (tenant_id, ip_prefix_hash, known_at);
create index ip_label_by_time on ip_label (known_at);
