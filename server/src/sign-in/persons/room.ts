// What may the handlers of persons use?

import type { Core } from '../../core/core.ts'

export type PersonsNeeds = Core

/** A call of a backend, or a command for its tenant. */
export interface BackendCall {
  readonly caller: { readonly tenantId: string }
  readonly requestId?: string
}
