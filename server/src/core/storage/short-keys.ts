// How is a tenant, and an analysis, written in a key? In a few bytes: their texts would be a tenth of the row.

import { hash } from 'node:crypto'

/** The 16 bytes of a dfrId. */
export const dfrIdBytes = (dfrId: string): Uint8Array => Buffer.from(dfrId, 'hex')

/** 8 bytes in place of the tenant's id, which would be a tenth of the row. */
export const tenantHash = (tenantId: string): Uint8Array => hash('sha256', tenantId, 'buffer').subarray(0, 8)
