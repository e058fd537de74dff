-- What a key, such as a user, has counted for its velocities (rules/velocities). Found by the key. Deleted within an hour after it has
-- left all windows, by a walk through all keys.
create table velocity_count (
  -- 10 bytes of a keyed hash of the key
  key_hash bytea not null,
  -- 0: a log, to which each decision appends; 1: what was folded from it. A busy key has further pairs: 2 and 3, 4 and 5, 6 and 7
  part integer not null,
  -- how many characters of the log have been folded, counted from a random number
  folded bigint not null,
  -- epoch milliseconds; never becomes earlier
  leaves_at bigint not null,
  -- velocities by hashes of their definitions, with decisions, sums or keyed hashes of distinct values
  content text not null,
  primary key (key_hash, part)
) /* sqlite: without rowid */;

-- JSON of the velocities that a rule set declares, sealed; null: none
alter table rule_set add column sealed_velocities bytea;
