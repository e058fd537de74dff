-- A row is a part of a velocity's count for one key, such as the decisions of a user (rules/velocities). Found by the key. Deleted
-- within an hour after it has left the window, by a walk through all keys.
create table velocity_count (
  -- 10 bytes of a keyed hash of the key, so that the velocities of a user are next to each other; 1 for distinct values, else 0;
  -- 5 bytes of a hash of the velocity
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

-- JSON of the velocities that a rule set declares, sealed; null: none
alter table rule_set add column sealed_velocities bytea;
