-- What a client may do through the admin API: the name of a role; null: nothing.
alter table client add column role text;
