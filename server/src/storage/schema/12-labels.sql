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
  primary key (tenant_id, device_hash, dfr_id)
);

create index device_label_by_time on device_label (known_at);

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
create index ip_label_by_time on ip_label (known_at);
