-- What did operators answer about phone numbers, which numbers are watched or in a batch, and what did it cost?

-- A row is the last answer of an operator or a portability source to one question about one phone number.
-- Found by the keyed hash of the number and the question. Replaced by a newer answer; deleted when it has expired.
create table telecom_answer (
  tenant_id text not null,
  number_hash bytea not null,
  -- for example simSwap:240@acme
  question text not null,
  answered_at bigint not null,
  expires_at bigint not null,
  sealed bytea not null,
  primary key (tenant_id, number_hash, question)
);

create index telecom_answer_by_expiry on telecom_answer (expires_at);

-- A row is what the requests of a tenant for a check cost on a day; all servers add to it. Found by tenant, day and currency.
-- Deleted after 400 days.
create table telecom_cost (
  tenant_id text not null,
  -- days since 1970-01-01 UTC
  day bigint not null,
  -- ISO 4217
  currency text not null,
  -- a check, or * for all together
  check_name text not null,
  -- millionths of the currency
  micros bigint not null,
  requests bigint not null,
  primary key (tenant_id, day, currency, check_name)
) /* sqlite: without rowid */;

-- A row is a Number Verification that a client has begun. Found by its id, or by number. Deleted an hour after it has expired.
create table number_verification (
  -- the first 16 bytes of SHA-256 of the id
  id_hash bytea not null primary key,
  tenant_id text not null,
  -- only this client may complete it
  client_id text not null,
  -- keyed hash of the phone number
  number_hash bytea not null,
  -- SHA-256 of the state that the operator redirects with
  state_hash bytea not null,
  expires_at bigint not null,
  -- null: not completed yet
  used_at bigint,
  -- number, connector, secrets of the URL
  sealed bytea not null
);

create index number_verification_expiry on number_verification (expires_at);
create index number_verification_number on number_verification (tenant_id, number_hash);

-- A row is a phone number that a tenant watches. Found by id, by the keyed hash of the number, or as the next that is due.
-- Deleted by the tenant, with the person, or when it has ended.
create table number_watch (
  tenant_id text not null,
  id bytea not null,
  number_hash bytea not null,
  -- names of checks, separated by commas
  checks text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- when the next check is due; while a server polls it, when another one may take over
  due_at bigint not null,
  -- random: of the server that polls it now
  claim bytea,
  -- JSON: number, reference, and what was known of each check
  sealed bytea not null,
  primary key (tenant_id, id)
);

create unique index number_watch_number on number_watch (tenant_id, number_hash);
create index number_watch_due on number_watch (tenant_id, due_at);
create index number_watch_checks on number_watch (tenant_id, checks);
create index number_watch_end on number_watch (expires_at);

-- A row is how many requests the watches of a tenant have made on a day. Found by tenant and day. Deleted a day later.
create table watch_request_count (
  tenant_id text not null,
  -- days since 1970, in UTC
  day bigint not null,
  used bigint not null,
  primary key (tenant_id, day)
);

-- A row is a subscription at an operator to the SIM swaps of a watched number. Found by the id in its sink URL, by watch, or as the
-- next that is due. Deleted when the subscription has ended.
create table watch_subscription (
  -- 16 random bytes, in the URL to which the operator sends events
  sink_id bytea not null primary key,
  tenant_id text not null,
  watch_id bytea not null,
  connector text not null,
  -- of the bearer token that the operator sends
  token_hash bytea not null,
  -- of the operator; null: not known yet
  subscription_id text,
  expires_at bigint not null,
  -- when it is renewed or ended
  due_at bigint not null
);

create index watch_subscription_due on watch_subscription (due_at);
create index watch_subscription_watch on watch_subscription (tenant_id, watch_id);

-- A row is a batch of phone numbers that a tenant has sent. Found by id, by the keyed hash of its Idempotency-Key, or as the next
-- that a server has to work on. Deleted when it has expired.
create table telecom_batch (
  tenant_id text not null,
  id bytea not null,
  -- null: sent without a key
  idempotency_hash bytea,
  -- keyed hash of the checks and of the whole body
  body_hash bytea not null,
  -- receiving, waiting, canceling, canceled, completed
  state text not null,
  created_at bigint not null,
  completed_at bigint,
  expires_at bigint not null,
  lines bigint not null,
  parts bigint not null,
  -- when a server may work on it: again after a server that has it died, and never when it has ended
  due_at bigint not null,
  -- random: of the server that works on it now
  claim bytea,
  -- JSON: counts and costs
  progress text not null,
  -- JSON: checks, names of columns, and who sent it
  sealed bytea not null,
  primary key (tenant_id, id)
);

create unique index telecom_batch_key on telecom_batch (tenant_id, idempotency_hash);
create index telecom_batch_due on telecom_batch (due_at);
create index telecom_batch_end on telecom_batch (expires_at);

-- A row is a hundred lines of a batch, then with their results. Found by batch and number. Deleted with the batch.
create table telecom_batch_part (
  tenant_id text not null,
  batch_id bytea not null,
  part bigint not null,
  -- number of its first line in what was sent
  first_line bigint not null,
  -- counts the erasures of a number in it
  version bigint not null,
  is_done bigint not null,
  -- one bit for each line for which an operator may have been called; null: none, or the part is done
  asked bytea,
  -- JSON: line number, phone number and columns of each line
  sealed bytea not null,
  -- JSON: the results that are known
  sealed_result bytea,
  primary key (tenant_id, batch_id, part)
);
