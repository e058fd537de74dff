-- A row is a part of a velocity's count for one key, such as the decisions of a user (rules/velocities). Found by the key. Deleted
-- when it has left the window.
create table velocity_count (
  -- 6 bytes of a hash of the velocity, 10 bytes of a keyed hash of the key
  key_hash bytea not null,
  -- the tenth of the window, or 8 bytes of a keyed hash of a distinct value
  part bytea not null,
  -- epoch milliseconds; never becomes earlier
  leaves_at bigint not null,
  -- decisions
  n bigint not null,
  -- sum of the path, in 1/10,000
  total bigint not null,
  primary key (key_hash, part)
) /* sqlite: without rowid */;

create index velocity_count_by_expiry on velocity_count (leaves_at);

-- JSON of the velocities that a rule set declares, sealed; null: none
alter table rule_set add column sealed_velocities bytea;
