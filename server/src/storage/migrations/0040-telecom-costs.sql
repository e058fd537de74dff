-- A row is what the requests of a tenant for a check cost on a day; all servers add to it. Found by tenant, day and currency.
-- Deleted after 400 days.
create table telecom_cost (
  tenant_id text not null,
  -- days since 1970-01-01 UTC
  day bigint not null,
  -- ISO 4217
  currency text not null,
  -- a check, or * for all together
  check_name text not null,
  -- millionths of the currency
  micros bigint not null,
  requests bigint not null,
  primary key (tenant_id, day, currency, check_name)
) /* sqlite: without rowid */;
