// Can a tenant complete another tenant's Number Verification? With its id and its state, and by beginning one of the same number.

import { endpoints } from '@ringfence/contract'
import type { RecordKind, Tenant } from './records.ts'

const { beginNumberVerification, completeNumberVerification } = endpoints

export const numberVerificationRecords: readonly RecordKind[] = [
  beginNumberVerification.path,
  completeNumberVerification.path,
].map((endpoint) => ({
  endpoint,
  what: 'verification of the same number',
  async plant(owner, service) {
    const post = ({ credentials }: Tenant, path: string, body: object) => service.post(path, body, { ...credentials })
    const begun = (await post(owner, beginNumberVerification.path, { phoneNumber: owner.phoneNumber })).body
    if (begun.success !== true) throw new Error(`the owner has begun none: ${JSON.stringify(begun)}`)
    const state = new URL(begun.url).searchParams.get('state')!
    const complete = completeNumberVerification.path.replace('{verificationId}', begun.verificationId)
    return async (other) => {
      const { status, body } =
        endpoint === beginNumberVerification.path
          ? await post(other, endpoint, { phoneNumber: owner.phoneNumber })
          : await post(other, complete, { state, error: 'access_denied' })
      const text = JSON.stringify(body)
      const isForeign = text.includes(begun.verificationId) || text.includes(state)
      const isCompleted = endpoint !== beginNumberVerification.path && status !== 404
      return isForeign || isCompleted ? `${status} ${text}` : undefined
    }
  },
}))
