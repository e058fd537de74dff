-- Which rules does a tenant have, which of them hold, who changed them, and how sessions turned out.

-- A version is never changed. Rules may name people (a number, a user id), so they are sealed.
create table rule_set (
  tenant_id text not null,
  version integer not null,
  rules integer not null,
  -- JSON, AES-256-GCM under the tenant's data key
  sealed bytea not null,
  created_at bigint not null,
  primary key (tenant_id, version)
);

-- draft, shadow, live; version 0: the rules that come with Ringfence
create table rule_stage (
  tenant_id text not null,
  stage text not null,
  version integer not null,
  primary key (tenant_id, stage)
);

create table rule_change (
  tenant_id text not null,
  number integer not null,
  changed_at bigint not null,
  changed_by text not null,
  -- draft, shadow, live, end-shadow
  change text not null,
  version integer not null,
  -- what was there before; null: nothing
  version_before integer,
  sealed_note bytea,
  primary key (tenant_id, number)
);

-- How the session of a report turned out. A report is named by its request id, or by its dfrId.
create table outcome_label (
  tenant_id text not null,
  report_id text not null,
  -- requestId, dfrId
  id_kind text not null,
  outcome text not null,
  -- when it turned out so, and when we were told
  known_at bigint not null,
  labelled_at bigint not null,
  primary key (tenant_id, report_id, id_kind)
);
