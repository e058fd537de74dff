-- open, approved or blocked; null: no rule sent the decision to REVIEW
alter table decision add column review text;
alter table decision add column reviewed_at bigint;
-- JSON: author and note of the reviewer, sealed under the tenant's data key
alter table decision add column sealed_review bytea;
create index /* postgres: concurrently */ decision_by_review on decision (tenant_hash, review, decision_id) where review is not null;
