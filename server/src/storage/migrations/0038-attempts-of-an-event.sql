-- A person is erased with the log of deliveries of each event, which was read as a whole for every hundred events.
create index /* postgres: concurrently */ event_attempt_by_event on event_attempt (event_id);
