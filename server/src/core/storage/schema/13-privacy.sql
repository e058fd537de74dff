-- Who was erased?

-- A row says that everything about a person or device was erased. Found by tenant and id. Never deleted: it shows after a restore of an
-- older backup that somebody has to be erased again.
create table erasure (
  tenant_id text not null,
  -- a UUID of version 7
  id bytea not null,
  erased_at bigint not null,
  -- userId, phoneNumber, email or deviceId
  subject_kind text not null,
  -- 16 bytes of a keyed hash of the subject, under a key for nothing else: no other column has it
  mark bytea not null,
  -- JSON of the signed receipt
  sealed bytea not null,
  primary key (tenant_id, id)
);
