-- An email address may have an account in each tenant. Two accounts of a tenant never have the same one: person_role has it too.
drop index if exists person_email;
create index /* postgres: concurrently */ person_address on person (email_hash);
-- the one of the person; null: made by an older server
alter table person_role add column email_hash bytea;
create unique index /* postgres: concurrently */ person_role_address on person_role (tenant_id, email_hash);
