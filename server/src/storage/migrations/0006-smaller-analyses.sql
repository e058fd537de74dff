-- The devices of an account are in account_device, and the accounts and numbers of a device in device_history. New rows of
-- device_analysis have null there; those of older rows are read until their retention ends.
drop index device_analysis_by_account;
