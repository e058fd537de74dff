-- A row is a line of a tenant's audit log: who changed what through the admin API, and who signed in to the console. Found by tenant
-- and number. Not deleted, and changed only where details are erased: `ringfence audit verify` recomputes the chain of hashes.
create table audit_line (
  tenant_id text not null,
  -- from 1, without gaps
  number bigint not null,
  at bigint not null,
  -- `person:<id>`, `client:<id>` or `command:<user name>`
  actor text not null,
  action text not null,
  -- SHA-256 of the sealed text, which begins with a random part
  content_hash bytea not null,
  -- JSON, sealed under the tenant's data key; null: erased
  sealed bytea,
  -- keyed hash of this line and the hash of the line before
  hash bytea not null,
  primary key (tenant_id, number)
);
