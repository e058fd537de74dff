-- What happened, and who still has to learn of it?

-- A row is something that happened. Found by tenant and id, or by user, number, email address, device, IP address or request.
-- Deleted when its retention ends.
create table event (
  -- 8 bytes of SHA-256 of the tenant's id
  tenant_hash bytea not null,
  -- a UUIDv7: ids follow the time, and on one server the order
  id bytea not null,
  type text not null,
  occurred_at bigint not null,
  -- in one word, such as BLOCK or failed; null where there is none
  outcome text,
  -- 8 bytes of keyed hashes, as in device_analysis; null where none is known
  user_hash bytea,
  number_hash bytea,
  email_hash bytea,
  device_hash bytea,
  ip_hash bytea,
  -- of the id of the request
  request_hash bytea,
  -- events with the same one reach a receiver in order
  order_key bytea not null,
  -- JSON of the data; on a second line what only the fold reads
  sealed bytea not null,
  primary key (tenant_hash, id)
) /* postgres: partition by range (id) */;

-- Events of days that have no table of their own (events/store/days.ts).
/* postgres: create table event_other partition of event default */;

-- Search, newest first.
create index event_by_type on event (tenant_hash, type, id);
create index event_by_user on event (user_hash, id) where user_hash is not null;
create index event_by_number on event (number_hash, id) where number_hash is not null;
create index event_by_email on event (email_hash, id) where email_hash is not null;
create index event_by_device on event (device_hash, id) where device_hash is not null;
create index event_by_ip on event (ip_hash, id) where ip_hash is not null;
create index event_by_request on event (request_hash, id) where request_hash is not null;

-- A row is a webhook of a tenant. Found by tenant and id. Deleted when it is removed.
create table event_receiver (
  tenant_id text not null,
  -- random
  id text not null,
  -- names of types and of groups (`sign_in.*`), separated by spaces
  types text not null,
  -- active, paused, or disabled: it said that it is gone, or failed for days
  state text not null,
  created_at bigint not null,
  -- since when no delivery has succeeded; null while they do
  failing_since bigint,
  -- why it is disabled, or the last failure
  failure text,
  -- JSON: URL, description and secrets
  sealed bytea not null,
  primary key (tenant_id, id)
);

-- A row says which server delivers to a receiver. Found by receiver. Replaced when the server has not renewed it in time.
create table event_lease (
  receiver_id text not null primary key,
  server_id text not null,
  leased_until bigint not null
);

-- A row is an event that a receiver has not accepted yet, written in the transaction of the event. Found by receiver.
-- Deleted when it is accepted or given up, or when the event is deleted.
create table event_delivery (
  receiver_id text not null,
  order_key bytea not null,
  -- microseconds by the clock of the store, which all servers share: what began after another was committed has a later one
  position bigint not null default (
    /* sqlite: cast(unixepoch('subsec') * 1000000 as integer) */
    /* postgres: cast(extract(epoch from clock_timestamp()) * 1000000 as bigint) */
  ),
  -- decides within a microsecond: ids of one server rise
  event_id bytea not null,
  tenant_id text not null,
  -- not before this time; events that wait for an earlier one of their order key have its time
  due_at bigint not null,
  attempts integer not null default 0,
  -- when the first attempt failed
  failing_since bigint,
  primary key (receiver_id, order_key, position, event_id)
) /* sqlite: without rowid */;

create index event_delivery_due on event_delivery (receiver_id, due_at, position, event_id);

-- A row is an attempt to deliver an event. Found by receiver and time, or by event. Deleted after a week.
create table event_attempt (
  receiver_id text not null,
  attempted_at bigint not null,
  event_id bytea not null,
  tenant_id text not null,
  type text not null,
  -- accepted, or how it failed
  result text not null,
  -- of the HTTP answer
  status integer,
  duration_ms integer not null,
  -- the first bytes of a refusal
  sealed_answer bytea,
  primary key (receiver_id, attempted_at, event_id)
);

-- To erase a person from the log of deliveries.
create index event_attempt_by_event on event_attempt (event_id);
