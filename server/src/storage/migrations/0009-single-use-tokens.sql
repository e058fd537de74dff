-- 1: each of the two endpoints accepts the token once, on every server; set where TOKEN_USES was `once` at issue. Null: the setting of
-- the server that gets the token decides.
alter table token add column single_use smallint;
