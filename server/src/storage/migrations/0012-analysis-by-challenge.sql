-- A challenge is taken by the analysis that bears it: of several at once one can be kept, without a transaction around it.
alter table device_analysis add column challenge_hash bytea;

create unique index device_analysis_by_challenge on device_analysis (tenant_id, session_id, challenge_hash);
