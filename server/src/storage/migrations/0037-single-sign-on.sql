-- A row is the identity provider with which people of a tenant sign in to the console. Found by tenant, or by id at a sign-in. Deleted when
-- an owner removes it.
create table single_sign_on (
  tenant_id text not null primary key,
  -- random
  id text not null,
  issuer text not null,
  -- 1: people can sign in with it
  enabled smallint not null,
  -- 1: the sign-in page offers it to everybody
  listed smallint not null,
  -- who may still use the tenant with a password or passkey: allowed or ownersOnly
  passwords text not null,
  version bigint not null,
  -- JSON: name, client id and secret, scopes, claim, roles of groups; sealed under the tenant's data key
  sealed bytea not null
);
create unique index single_sign_on_id on single_sign_on (id);

-- A row is a single sign-on that is done: it cannot be finished again. Found by the hash of its state. Deleted after ten minutes.
create table sso_done (
  state_hash bytea not null primary key,
  expires_at bigint not null
);
