-- Which signals fired at a visit: each weighs less as time goes by, and none twice. Their sum told too little.

alter table device_visit add column signals text not null default '';

alter table device_visit drop column risk;
