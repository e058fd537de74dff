// Can a tenant read, extend or end another tenant's watches? Every call about watches, of a number that both know.

import { endpoints } from '@ringfence/contract'
import type { RecordKind, Tenant } from './records.ts'

const { watchNumber, readWatch, listWatches, deleteWatch } = endpoints

interface Planted {
  readonly watchId: string
  readonly phoneNumber: string
}

/** What another tenant sends to each endpoint. A number that both watch has a watch of each. */
const attempts: readonly {
  readonly endpoint: string
  /** Absent: GET. */
  readonly body?: (planted: Planted) => object
}[] = [
  { endpoint: readWatch.path },
  { endpoint: listWatches.path, body: ({ phoneNumber }) => ({ phoneNumber }) },
  { endpoint: listWatches.path, body: () => ({}) },
  { endpoint: deleteWatch.path, body: ({ watchId }) => ({ watchId }) },
  {
    endpoint: watchNumber.path,
    body: ({ phoneNumber }) => ({ phoneNumber, checks: ['portability'], ttlSeconds: 3600 }),
  },
]

export const watchRecords: readonly RecordKind[] = attempts.map(({ endpoint, body }) => ({
  endpoint,
  what: 'watch of the same number',
  async plant(owner, service) {
    const { phoneNumber } = owner
    const reference = `of-${owner.id}`
    const post = ({ credentials }: Tenant, path: string, sent: object) => service.post(path, sent, { ...credentials })
    const watch = { phoneNumber, checks: ['simSwap'], reference }
    const { watchId } = (await post(owner, watchNumber.path, watch)).body
    const shown = async () => JSON.stringify((await post(owner, listWatches.path, { phoneNumber })).body)
    if (!(await shown()).includes(watchId)) throw new Error('the owner has no watch')
    return async (other) => {
      const before = await shown()
      const answer = body
        ? await post(other, endpoint, body({ watchId, phoneNumber }))
        : await fetch(service.url + endpoint.replace('{watchId}', watchId), { headers: { ...other.credentials } }).then(
            async (response) => ({ status: response.status, body: await response.json() }),
          )
      const after = await shown()
      const text = JSON.stringify(answer.body)
      const isLeak = text.includes(watchId) || text.includes(reference) || answer.body.deleted === true
      return after === before && !isLeak ? undefined : `${answer.status} ${text} and ${after}`
    }
  },
}))
