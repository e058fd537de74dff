-- How did sessions from an address and its neighbours turn out? By keyed hashes of 64 bits; of what was labelled only.

create table address_outcome (
  tenant_id text not null,
  -- HMACs under the tenant's look-up key, of the prefix around the address and of the address
  prefix_hash bytea not null,
  address_hash bytea not null,
  -- of the report that was labelled; one outcome for each
  dfr_id text not null,
  outcome text not null,
  known_at bigint not null,
  primary key (tenant_id, prefix_hash, dfr_id)
);

-- The newest of a tenant, for its base rate.
create index address_outcome_of_tenant on address_outcome (tenant_id, known_at);

create index address_outcome_by_time on address_outcome (known_at);

-- Chargebacks are told long after the report, which has the address, is gone.
alter table device_visit add column prefix_hash bytea;

alter table device_visit add column address_hash bytea;
