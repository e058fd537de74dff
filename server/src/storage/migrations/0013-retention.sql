-- What was not seen, or told, for long is found by its time.

create index device_by_time on device (last_seen_at);

create index outcome_label_by_time on outcome_label (labelled_at);
