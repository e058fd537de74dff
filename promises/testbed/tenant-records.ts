// Which records belong to a tenant, and how does another tenant try to read them? The shapes that `tenants` works with.

import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import type { TestService } from '../../server/src/testing/test-service.ts'

export interface Tenant {
  id: string
  credentials: IssuedCredentials
  /** A number that this tenant alone asks about first. */
  phoneNumber: string
}

export interface RecordKind {
  endpoint?: string
  what: string
  /** Makes the record, and says how another tenant tries to read it: the answer is what it got to see, nothing when all is well. */
  plant(owner: Tenant, service: TestService): Promise<(other: Tenant) => Promise<string | undefined>>
}
