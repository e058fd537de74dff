-- A row is a role that a tenant has made. Found by tenant and name. Deleted when the role is removed, which nobody may have then.
create table own_role (
  tenant_id text not null,
  name text not null,
  -- names of permissions, separated by spaces
  permissions text not null,
  version bigint not null,
  created_at bigint not null,
  -- the description, sealed under the tenant's data key
  sealed bytea not null,
  primary key (tenant_id, name)
);
