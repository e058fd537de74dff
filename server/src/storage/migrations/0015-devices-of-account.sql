-- The devices of an account that came last are found without reading all that it ever had.

create index account_device_by_account on account_device (tenant_id, account_hash, last_visit_at);
