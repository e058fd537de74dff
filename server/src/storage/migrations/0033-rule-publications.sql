-- A row is a request to make a version of the rules live. Found by tenant and number. Never deleted: it says who agreed to which rules.
create table rule_publication (
  tenant_id text not null,
  -- from 1
  number bigint not null,
  version bigint not null,
  -- the version that was live when it was requested; another one meanwhile makes the request stale
  instead_of bigint not null,
  -- open, published, rejected or withdrawn
  state text not null,
  requested_at bigint not null,
  -- id of the person
  requested_by text not null,
  decided_at bigint,
  -- id of the person; the same one when he published alone
  decided_by text,
  -- JSON: name of the person, why, warnings; sealed under the tenant's data key
  sealed bytea not null,
  -- JSON: name of the person who decided, and why
  sealed_decision bytea,
  primary key (tenant_id, number)
);

-- A row says when a tenant needs a second person to publish rules. Found by tenant. Without a row: as soon as there are two.
create table rule_policy (
  tenant_id text not null primary key,
  -- whenSeveral or always
  second_person text not null
);

-- A row is a backtest that a person started in the console. Found by tenant and id. Deleted after 30 days.
create table backtest (
  tenant_id text not null,
  -- random
  id text not null,
  -- running, done, cancelled or failed; a running one whose server has not written for a while was interrupted
  state text not null,
  started_at bigint not null,
  written_at bigint not null,
  -- decisions that were replayed, and how many there are
  done bigint not null,
  total bigint not null,
  -- 1: a person wants it to end
  cancelled smallint not null,
  -- JSON: who started it, and which versions; sealed under the tenant's data key
  sealed bytea not null,
  -- JSON: the result
  sealed_result bytea,
  primary key (tenant_id, id)
);
