-- 8 bytes of a keyed hash of the installation that was analysed; null in rows from before, and where nothing identifies it.
alter table device_analysis add column installation_hash bytea;
