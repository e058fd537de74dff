-- A row is the last answer of an operator or a portability source to one question about one phone number.
-- Found by the keyed hash of the number and the question. Replaced by a newer answer; deleted when it has expired.
create table telecom_answer (
  tenant_id text not null,
  number_hash bytea not null,
  -- for example simSwap:240@acme
  question text not null,
  sealed bytea not null,
  answered_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, number_hash, question)
);

create index telecom_answer_by_expiry on telecom_answer (expires_at);
