-- Search by type, newest first.
create index /* postgres: concurrently */ event_by_type on event (tenant_hash, type, id);
