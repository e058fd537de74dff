// Which records belong to a tenant, and how does another tenant try to read them? The shapes that `tenants` works with.

import type { IssuedCredentials } from '../../../../server/src/clients/credentials.ts'
import type { TestService } from '../../../../server/src/testing/test-service.ts'

export interface Tenant {
  id: string
  credentials: IssuedCredentials
  /** Only this tenant has asked about this number. */
  phoneNumber: string
}

export interface RecordKind {
  endpoint?: string
  what: string
  /** Creates the record, and returns another tenant's attempt to read it: the answer is what it saw, undefined if nothing. */
  plant(owner: Tenant, service: TestService): Promise<(other: Tenant) => Promise<string | undefined>>
}
