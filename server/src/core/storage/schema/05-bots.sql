-- Which signed requests of agents were seen?

-- A row says which SDK session used a nonce of an agent that signs its requests (Web Bot Auth). Found by the hash of key and nonce.
-- Deleted when the signature expires, a day after it was made at the latest.
create table agent_nonce (
  nonce_hash bytea not null primary key,
  session_hash bytea not null,
  expires_at bigint not null
) /* sqlite: without rowid */;

create index agent_nonce_by_expiry on agent_nonce (expires_at);
