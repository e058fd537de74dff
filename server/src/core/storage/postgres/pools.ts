// How many connections to PostgreSQL does one server have? Apart for reads and writes, so that writes that hang do not stop reads.

export interface PostgresPools {
  readonly read: number
  readonly write: number
}

/** PostgreSQL answers a point read in well under a millisecond, so few connections suffice; a write waits for disk and standby. */
export const defaultPools: PostgresPools = { read: 6, write: 10 }
