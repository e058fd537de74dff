// Can a tenant read, list or cancel another tenant's batch? Every call about batches, with the id of the other one's batch.

import { endpoints } from '@ringfence/contract'
import type { TestService } from '../../../../server/src/testing/test-service.ts'
import type { RecordKind, Tenant } from './records.ts'

const { createBatch, readBatch, readBatchResults, listBatches, cancelBatch } = endpoints

/** What another tenant sends to each endpoint. Without a body: GET. */
const attempts: readonly { readonly endpoint: string; readonly body?: (batchId: string) => object }[] = [
  { endpoint: readBatch.path },
  { endpoint: readBatchResults.path },
  { endpoint: listBatches.path, body: () => ({}) },
  { endpoint: cancelBatch.path, body: (batchId) => ({ batchId }) },
]

export const batchRecords: readonly RecordKind[] = attempts.map(({ endpoint, body }) => ({
  endpoint,
  what: 'batch of the same number',
  async plant(owner, service) {
    const headers = { ...owner.credentials, 'content-type': 'text/csv' }
    const created = await service.post(`${createBatch.path}?checks=simSwap`, csvOf(owner), headers)
    const { batchId } = created.body
    const shown = async () => JSON.stringify((await get(service, owner, readBatch.path, batchId)).text)
    if (!(await shown()).includes(batchId)) throw new Error(`the owner has no batch: ${JSON.stringify(created.body)}`)
    return async (other) => {
      const answer = body
        ? await service
            .post(endpoint, body(batchId), { ...other.credentials })
            .then((sent) => ({ status: sent.status, text: JSON.stringify(sent.body) }))
        : await get(service, other, endpoint, batchId)
      const after = await shown()
      const isLeak = answer.text.includes(batchId) || answer.text.includes(markOf(owner)) || /cancel/.test(after)
      return isLeak ? `${answer.status} ${answer.text} and ${after}` : undefined
    }
  },
}))

/** A column that only its owner sent. */
const markOf = ({ id }: Tenant) => `of-${id}`
const csvOf = (owner: Tenant) => `phoneNumber,customer\n${owner.phoneNumber},${markOf(owner)}\n`

async function get(service: TestService, tenant: Tenant, path: string, batchId: string) {
  const response = await fetch(service.url + path.replace('{batchId}', batchId), { headers: { ...tenant.credentials } })
  return { status: response.status, text: await response.text() }
}
