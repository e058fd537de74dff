-- On SQLite a table keeps its rows beside its primary key, so that every key of a device stood there twice.

create table device_key_once (
  key bigint not null,
  device_id bytea not null,
  primary key (key, device_id)
) /* sqlite: without rowid */;

insert into device_key_once (key, device_id) select key, device_id from device_key;

drop table device_key;

alter table device_key_once rename to device_key;
