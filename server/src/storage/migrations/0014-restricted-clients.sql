-- What a client may do; null: everything, from everywhere, permanently.
-- scopes: names separated by spaces
alter table client add column scopes text;
-- IP addresses and CIDR blocks separated by spaces
alter table client add column allowed_ips text;
alter table client add column expires_at bigint;
