-- How many attempts of the sign-in were returned, because its code could not be compared.
alter table sign_in add column returned smallint not null default 0;
