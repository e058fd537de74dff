// What do other rooms learn of clients?

import type { Credentials } from './credentials.ts'

/** The clients of all tenants and their secrets. */
export type ClientsDoor = Credentials
