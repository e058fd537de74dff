-- A row says where the audit log of a tenant ends, so that lines missing at its end are found. Changed with each line; not deleted.
create table audit_head (
  tenant_id text not null primary key,
  -- number of the last line
  number bigint not null,
  -- keyed hash of the number and the last line's hash
  hash bytea not null
);
