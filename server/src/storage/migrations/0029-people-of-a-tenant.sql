-- The people of a tenant are listed, and their roles change: with a version, so that nobody overwrites what somebody else has changed.
-- It also lets a one-time link belong to somebody who has an account: it resets password and second factor.
create index /* postgres: concurrently */ person_role_tenant on person_role (tenant_id);
alter table person_role add column version bigint not null default 1;
-- null: not since this column exists
alter table person add column last_sign_in_at bigint;

create index /* postgres: concurrently */ invitation_tenant on invitation (tenant_id);
-- JSON: who invited, and the email address; sealed under the tenant's data key. null: made by an older server
alter table invitation add column sealed bytea;
alter table invitation add column created_at bigint;
-- the actor; their open links end when they are removed or get another role. null: a command made it
alter table invitation add column invited_by text;
-- whose password and second factor the link resets; null: it is for somebody new
alter table invitation add column person_id text;
