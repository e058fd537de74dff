-- Which servers share this store, and what did their rate limits count?

-- A row is a running server of this store. All rows are read at once. Deleted when the server stops, or a minute after its last
-- sign of life.
create table server (
  -- random
  id text not null primary key,
  started_at bigint not null,
  seen_at bigint not null
);

-- A row is how many requests a rate limit has counted or promised to servers in its current window. Found by the hash of limit and
-- caller. Deleted when the window is over. Only callers that use much of their limit have one.
create table request_count (
  -- the first 16 bytes of a keyed hash
  key_hash bytea not null primary key,
  counted integer not null,
  -- what the last server that asked got
  granted integer not null,
  window_ends_at bigint not null
);
