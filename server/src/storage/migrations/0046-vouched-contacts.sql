-- Which account at an identity provider vouched for a phone number or email address: the identity_hash of that SUBJECT. The link ends when
-- this account gets another one. null: the person proved it with a code or a link, or an older server stored it
alter table identity add column vouched_by bytea;
