-- A row is a person who has signed in. Found by id. Never deleted.
create table app_user (
  tenant_id text not null,
  id text not null,
  created_at bigint not null,
  last_sign_in_at bigint not null,
  -- the profile that an identity provider returned, without the identities
  sealed_profile bytea,
  primary key (tenant_id, id)
);

-- A row is an identity of a user: a phone number, an email address, an account at an identity provider. Found by its keyed hash.
-- Never deleted.
create table identity (
  tenant_id text not null,
  -- keyed hash of type and value
  identity_hash bytea not null,
  user_id text not null,
  -- type and value
  sealed bytea not null,
  created_at bigint not null,
  verified_at bigint not null,
  primary key (tenant_id, identity_hash)
);

create index identity_by_user on identity (tenant_id, user_id);
