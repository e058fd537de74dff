-- The accounts of one device, which prove that two devices are one.
create index account_device_by_device on account_device (device_id);
