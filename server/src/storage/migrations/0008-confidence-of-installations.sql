-- In thousandths: how sure the visit was that made the installation because it resembled the device. Null for the first of a device.
alter table installation add column confidence integer;
