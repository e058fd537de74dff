// Can a tenant read another tenant's decisions, or use its parts? Everything that a decision stores and names.

import { randomUUID } from 'node:crypto'
import { endpoints, pathWith } from '@ringfence/contract'
import { decisionCalls } from '../../../../server/src/decisions/testing.ts'
import { sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import type { TestService } from '../../../../server/src/testing/test-service.ts'
import type { RecordKind, Tenant } from './records.ts'
import { signedIn } from './sign-ins.ts'

const { decide, readDecision, passChallenge, listReviews, resolveReview } = endpoints

const unknown = '70015'

export const decisionRecords: readonly RecordKind[] = [
  {
    endpoint: decide.path,
    what: 'token, device and Idempotency-Key of a decision',
    async plant(owner, service) {
      const { decide } = decisionCalls(service)
      const { dfrId } = await (await sdkClient(service)).fingerprint()
      return async (other) => {
        const { token } = await signedIn(owner, service)
        const body = { token, dfrId }
        const key = { 'idempotency-key': randomUUID() }
        const own = (await decide(body, { ...owner.credentials, ...key })).body.decisionId
        const { body: seen } = await decide(body, { ...other.credentials, ...key })
        const isForeign = seen.login || seen.device || seen.decisionId === own
        return isForeign ? JSON.stringify(seen) : undefined
      }
    },
  },
  {
    endpoint: readDecision.path,
    what: 'decision',
    async plant(owner, service) {
      const { decide, read } = decisionCalls(service)
      const { decisionId } = (await decide({ userId: 'customer-1' }, { ...owner.credentials })).body
      return async (other) => {
        if ((await read(decisionId, { ...owner.credentials })).status !== 200) return 'the owner cannot read it'
        const { body } = await read(decisionId, { ...other.credentials })
        return body.errorCode === unknown ? undefined : JSON.stringify(body)
      }
    },
  },
  {
    endpoint: passChallenge.path,
    what: 'challenge of a decision',
    async plant(owner, service) {
      const { decide } = decisionCalls(service)
      const { decisionId } = (await decide({ userId: 'customer-1' }, { ...owner.credentials })).body
      const path = pathWith(passChallenge.path, decisionId)
      return async (other) => {
        const { body } = await service.post(path, { token: 'rft_any' }, { ...other.credentials })
        return body.errorCode === unknown ? undefined : JSON.stringify(body)
      }
    },
  },
]

export const reviewRecords: readonly RecordKind[] = [
  {
    endpoint: listReviews.path,
    what: 'review queue, and its cursor',
    async plant(owner, service) {
      const { ids } = await reviewsOf(owner, service)
      const list = async (tenant: typeof owner, body: object = {}) =>
        (await service.post(listReviews.path, body, { ...tenant.credentials })).body
      const { nextCursor: cursor } = await list(owner, { limit: 1 })
      if (cursor === undefined) throw new Error('the owner has no second page')
      return async (other) => {
        const own = JSON.stringify(await list(other, { limit: 100 }))
        const byCursor = await list(other, { limit: 1, cursor })
        if (ids.some((id) => own.includes(id))) return own
        return byCursor.errorCode ? undefined : JSON.stringify(byCursor)
      }
    },
  },
  {
    endpoint: resolveReview.path,
    what: 'review of a decision',
    async plant(owner, service) {
      const { ids } = await reviewsOf(owner, service)
      const path = pathWith(resolveReview.path, ids[0]!)
      return async (other) => {
        const { body } = await service.post(path, { outcome: 'approved', by: 'x' }, { ...other.credentials })
        return body.errorCode === '70017' ? undefined : JSON.stringify(body)
      }
    },
  },
]

/** Two decisions of the owner that wait for a review. */
async function reviewsOf(owner: Tenant, service: TestService): Promise<{ ids: string[] }> {
  const { decide, publish } = decisionCalls({ ...service, tenantId: owner.id })
  await publish([{ id: 'look', name: 'Look', when: 'params.amount > 1', action: 'REVIEW', score: 1 }])
  const ids: string[] = []
  for (const userId of ['first', 'second']) {
    const { body } = await decide({ userId, params: { amount: 2 } }, { ...owner.credentials })
    ids.push(body.decisionId)
  }
  return { ids }
}
