-- When its sign-in passed the challenge of a decision; it passes no other one.
alter table token add column challenge_used_at bigint;
