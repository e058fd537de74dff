// How does a test sign people in at a bank? A page of one browser, the backend behind it, and sign-ins by code.

import assert from 'node:assert/strict'
import { type Decision, endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { outboxChannels, startSignInService } from '../../sign-in/authentication/testing/sign-in-service.ts'
import type { Ending } from '../../testing/at-end.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { decisionCalls } from '../testing.ts'

/** A page of one browser, and the backend behind it. */
export async function bank(t: Ending, database: Database) {
  const service = await startSignInService(t, database, { channels: outboxChannels })
  const calls = decisionCalls(service)
  const page = async () => {
    const client = await browserClient(service, { app: service.app, key: newInstallationKey() })
    const report = async (userId?: string) => {
      const { requestId } = await client.analyse(ordinaryFacts, userId === undefined ? {} : { updateInfo: { userId } })
      return (await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))).body.dfrId as string
    }
    return { report, dfrId: await report() }
  }
  return {
    ...service,
    ...calls,
    page,
    async signIn(identity: { type: string; value: string }, dfrId?: string) {
      service.clock.advance({ seconds: 61 })
      const as = await sdkClient(service, { app: service.app })
      const method = identity.type === 'EMAIL' ? { method: 'EMAIL' } : {}
      const started = await service.start({ identity, ...method }, as)
      assert.equal(started.status, 200, JSON.stringify(started.body))
      const { body } = await service.verify(
        started.body.transactionId,
        { otp: service.otp(), ...(dfrId && { dfrId }) },
        as,
      )
      return body as { token: string; userId: string }
    },
    async linkUser(token: string, userId: string) {
      const { status, body } = await service.post(endpoints.linkUser.path, { token, userId })
      assert.equal(status, 200, JSON.stringify(body))
    },
    async decided(body: object): Promise<Decision> {
      const { status, body: decision } = await calls.decide({ deadlineMs: 10_000, ...body })
      assert.equal(status, 200, JSON.stringify(decision))
      return decision
    },
  }
}

export type Bank = Awaited<ReturnType<typeof bank>>
