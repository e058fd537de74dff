// How does the first call of a newcomer get the answer of the README, also on a busy machine? A decision before it loads and compiles all it needs.

import { endpoints } from '@ringfence/contract'
import type { Service } from '@ringfence/server'
import { deleteTenant } from '@ringfence/server/core/storage/delete-tenant.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'

/** Of a tenant that lasts until the decision is made. */
const name = 'first decision of serve --sandbox'
const decision = { action: 'PAYMENT', userId: 'nobody', phoneNumber: '61491570110', deadlineMs: 30_000 }

/** The first decision of a process takes about four times as long as the next. Nothing of this one stays. */
export async function warmUp({ url, parts: { database, tenantKeyring, clients } }: Service): Promise<void> {
  await tenantKeyring.createTenant(name)
  // With one that a killed start has left.
  const tenants = (await listTenants(database)).filter((tenant) => tenant.name === name)
  try {
    const credentials = await clients.createClient(tenants.at(-1)!.id, name)
    const headers = { ...credentials, 'content-type': 'application/json' }
    const answer = await fetch(url + endpoints.decide.path, { method: 'POST', headers, body: JSON.stringify(decision) })
    await answer.text()
  } finally {
    for (const { id } of tenants) await deleteTenant(database, id)
  }
}
