-- How did sessions of a device turn out? The history of a device; rules read the labels themselves (outcome_label).

create table device_outcome (
  tenant_id text not null,
  -- HMAC under the tenant's look-up key
  device_hash bytea not null,
  -- of the report that was labelled; one outcome for each
  dfr_id text not null,
  outcome text not null,
  known_at bigint not null,
  primary key (tenant_id, device_hash, dfr_id)
);

create index device_outcome_by_time on device_outcome (known_at);
