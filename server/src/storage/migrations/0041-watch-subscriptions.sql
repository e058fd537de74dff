-- A row is a subscription at an operator to the SIM swaps of a watched number. Found by the id in its sink URL, by watch, or as the next
-- that is due. Deleted when the subscription has ended.
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
