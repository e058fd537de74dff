-- Id of the person who works on an open review, and since when; null: nobody
alter table decision add column review_assignee text;
alter table decision add column review_assigned_at bigint;
-- JSON: the comments of reviewers, sealed under the tenant's data key; and how many there are, so that two at once do not lose one
alter table decision add column sealed_comments bytea;
alter table decision add column review_comments smallint;
create index /* postgres: concurrently */ decision_by_assignee on decision (tenant_hash, review_assignee, decision_id)
  where review = 'open' and review_assignee is not null;

-- A row says how long the reviewers of a tenant have, in hours. Found by tenant. Without a row: 24.
create table review_policy (
  tenant_id text not null primary key,
  due_hours bigint not null
);
