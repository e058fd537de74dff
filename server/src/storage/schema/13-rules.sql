-- A row is a version of a tenant's rules. Found by version. Never changed, never deleted.
create table rule_set (
  tenant_id text not null,
  version integer not null,
  rule_count integer not null,
  -- JSON; sealed because a rule may contain a phone number or a user id
  sealed bytea not null,
  created_at bigint not null,
  primary key (tenant_id, version)
);

-- A row says which version is in a stage. Found by stage. Deleted when the stage ends.
create table rule_stage (
  tenant_id text not null,
  -- draft, shadow or live
  stage text not null,
  -- 0: the rules that come with Ringfence
  version integer not null,
  primary key (tenant_id, stage)
);

-- A row is a change of a stage: the audit log of the rules. Found by tenant. Never deleted.
create table rule_change (
  tenant_id text not null,
  number integer not null,
  changed_at bigint not null,
  changed_by text not null,
  -- draft, shadow, live or end-shadow
  change text not null,
  version integer not null,
  -- null: the stage was empty
  version_before integer,
  sealed_note bytea,
  primary key (tenant_id, number)
);
