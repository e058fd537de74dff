-- 8 bytes of keyed hashes, as in the other columns; null where none is known, and in rows of older versions
alter table event add column email_hash bytea;
alter table event add column request_hash bytea;
create index /* postgres: concurrently */ event_by_email on event (email_hash, id) where email_hash is not null;
create index /* postgres: concurrently */ event_by_request on event (request_hash, id) where request_hash is not null;

-- the same for decisions: by whom they are found to export and erase a person, after their events have expired
alter table decision add column user_hash bytea;
alter table decision add column number_hash bytea;
alter table decision add column email_hash bytea;
alter table decision add column device_hash bytea;
create index /* postgres: concurrently */ decision_by_user on decision (user_hash, decision_id) where user_hash is not null;
create index /* postgres: concurrently */ decision_by_number on decision (number_hash, decision_id) where number_hash is not null;
create index /* postgres: concurrently */ decision_by_email on decision (email_hash, decision_id) where email_hash is not null;
create index /* postgres: concurrently */ decision_by_device on decision (device_hash, decision_id) where device_hash is not null;
