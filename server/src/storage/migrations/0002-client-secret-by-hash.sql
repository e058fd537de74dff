-- A secret is looked up by its keyed hash: no row, for an unknown client as for a wrong secret, by the same steps.
create unique index client_secret_by_hash on client_secret (secret_hash);
