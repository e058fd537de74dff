-- A row says that a server is starting a sign-in, so that an equal start at another server waits for its answer.
-- Found by the hash of the start, as in sign_in. Deleted when the start has its answer.
create table start_claim (
  start_hash bytea not null primary key,
  -- from then on another server may take it: the one that had it has died
  claimed_until bigint not null
) /* sqlite: without rowid */;
