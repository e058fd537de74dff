-- What was decided, why, and what did reviewers say?

-- A row is a decision. Found by its id, by the hash of its Idempotency-Key, by review, or by whom it is about, to export and erase a
-- person. Deleted when its retention ends.
create table decision (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- a UUID of version 7, so new rows are neighbours
  decision_id bytea not null,
  -- 16 bytes of a keyed hash of the Idempotency-Key, and 8 of the body: a repeated request finds its decision; null without a key
  idempotency_hash bytea,
  body_hash bytea not null,
  decided_at bigint not null,
  -- the report of the device, for labels; null without one
  dfr_id bytea,
  -- 8 bytes of keyed hashes, as in event; null where none is known
  user_hash bytea,
  number_hash bytea,
  email_hash bytea,
  device_hash bytea,
  -- the same of the mailbox of the email address, to count who shares it
  mailbox_hash bytea,
  challenge_passed_at bigint,
  -- the first sign-in that did not pass it, and when its end was noticed, if it was not passed
  challenge_failed_at bigint,
  challenge_expired_at bigint,
  -- when a reviewer asked for a challenge; null: the challenge, if any, is that of the decision itself
  challenge_asked_at bigint,
  -- open, approved or blocked; null: no rule sent the decision to REVIEW
  review text,
  reviewed_at bigint,
  -- when its rule wants it resolved; null: after the hours of review_policy
  review_due_at bigint,
  -- when it was noticed that it is overdue
  review_overdue_at bigint,
  -- id of the person who works on an open review, and since when; null: nobody
  review_assignee text,
  review_assigned_at bigint,
  -- how many comments there are, so that two at once do not lose one
  review_comments smallint,
  -- JSON: the comments of reviewers
  sealed_comments bytea,
  -- JSON: who asked for a challenge and why, and who can pass it
  sealed_challenge bytea,
  -- JSON: author and note of the reviewer
  sealed_review bytea,
  -- the answer, the input of the rules, and what else explains it: compressed JSON
  sealed bytea not null,
  primary key (tenant_hash, decision_id)
);

create unique index decision_by_idempotency on decision (tenant_hash, idempotency_hash) where idempotency_hash is not null;
create index decision_by_time on decision (decided_at);
create index decision_by_user on decision (user_hash, decision_id) where user_hash is not null;
create index decision_by_number on decision (number_hash, decision_id) where number_hash is not null;
create index decision_by_email on decision (email_hash, decision_id) where email_hash is not null;
create index decision_by_mailbox on decision (mailbox_hash, tenant_hash, decision_id, user_hash, email_hash)
  where mailbox_hash is not null;
create index decision_by_device on decision (device_hash, decision_id) where device_hash is not null;
create index decision_by_review on decision (tenant_hash, review, decision_id) where review is not null;
-- Open reviews in the order of their deadlines: those with one of their rule, and the others.
create index decision_by_rule_due on decision (tenant_hash, review_due_at, decision_id)
  where review = 'open' and review_due_at is not null;
create index decision_by_usual_due on decision (tenant_hash, decided_at, decision_id)
  where review = 'open' and review_due_at is null;
create index decision_by_asked on decision (tenant_hash, review, challenge_asked_at) where challenge_asked_at is not null;
create index decision_by_assignee on decision (tenant_hash, review_assignee, decision_id)
  where review = 'open' and review_assignee is not null;

-- A row is a decision with something that ends by time: a challenge, or the time of its reviewers. Written after the commit of the decision, by the fold of the event
-- log. Found by time. Deleted when it is due.
create table decision_deadline (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  decision_id bytea not null,
  -- challenge, review (after the hours of review_policy), or ruleReview (of its rule)
  kind text not null,
  -- epoch milliseconds
  due_at bigint not null,
  primary key (tenant_hash, decision_id, kind)
) /* sqlite: without rowid */;

create index decision_deadline_by_time on decision_deadline (due_at);

-- A row says how long the reviewers of a tenant have, in hours. Found by tenant. Without a row: 24. Never deleted.
create table review_policy (
  tenant_id text not null primary key,
  due_hours bigint not null
);
