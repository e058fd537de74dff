import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { Client } from 'pg'
import { outboxChannels } from '../sign-in/authentication/testing/sign-in-service.ts'
import { costOfFlows, type FlowCost } from './cost-of-flows.ts'
import { countedDatabase } from './counted-database.ts'
import { eachDatabase } from './databases.ts'
import { newInstallationKey } from './installation-key.ts'
import { createApp, ordinaryFacts, sdkClientOf } from './sdk-client.ts'
import { startTestService } from './test-service.ts'

const phoneNumber = '917020141726'

/** What a call stores after its answer is written by then. */
const settledMs = 60

/** The clock of undici, which all connections of the process share. */
const undiciTickMs = 499

/** No timer ends: on a slow machine each flow would have its work beside it. */
function stopTimers(t: TestContext): void {
  for (const name of ['setInterval', 'setTimeout'] as const) {
    const begin = globalThis[name] as (work: () => void, ms: number, ...rest: unknown[]) => NodeJS.Timeout
    const endless: typeof begin = (work, ms, ...rest) => begin(work, ms === undiciTickMs ? ms : 2 ** 31 - 1, ...rest)
    t.mock.method(globalThis, name, endless as never)
  }
}

const since = '2024-01-01'
const checks = {
  ...{ simSwap: {}, deviceSwap: {}, callForwarding: {}, roaming: {}, reachability: {} },
  ...{ numberRecycling: { since }, tenure: { since }, kycMatch: { givenName: 'Asha' } },
}

const leastOf = (seen: readonly FlowCost[], what: keyof FlowCost) => Math.min(...seen.map((each) => each[what]))

eachDatabase(({ engine, open }) => {
  test(`a flow asks the store for as much as the table says (${engine})`, async (t) => {
    stopTimers(t)
    const { database, counts } = countedDatabase(await open(t))
    const sent = t.mock.method(Client.prototype, 'query').mock
    const service = await startTestService(t, database, { edit: (parts) => ({ ...parts, channels: outboxChannels }) })
    const app = await createApp(service)
    const key = newInstallationKey()
    let sdk = await sdkClientOf(app, service, { key })
    let dfrId: string
    let token: string
    const identity = { type: 'MOBILE', value: phoneNumber }
    const flows: Record<keyof typeof costOfFlows, () => Promise<number>> = {
      check: async () => (await service.post(endpoints.simSwapCheck.path, { phoneNumber })).status,
      eightChecks: async () => (await service.post(endpoints.telecomChecks.path, { phoneNumber, checks })).status,
      visit: async () => {
        sdk = await sdkClientOf(app, service, { key })
        // As the SDKs do: the push brings the analysis back.
        const { requestId, analysis } = await sdk.analyse(ordinaryFacts, { carry: true })
        const pushed = await sdk.post(endpoints.pushFingerprint.path, {
          ...sdk.pushBody(requestId),
          data: { requestId, analysis },
        })
        dfrId = pushed.body.dfrId
        return pushed.status
      },
      signIn: async () => {
        const { body: started } = await sdk.post(endpoints.signInStart.path, { channel: 'OTP', identity })
        const otp = /^\d+/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![0]
        const verified = await sdk.post(endpoints.signInVerify.path, { transactionId: started.transactionId, otp })
        token = verified.body.token
        return verified.status
      },
      silent: async () => {
        const { body: started } = await sdk.post(endpoints.signInStart.path, { channel: 'SILENT', identity })
        const page = await (await fetch(started.authorizationUrl)).text()
        const code = /ringfence_code&#34;:&#34;([\w-]+)/.exec(page)?.[1]
        const { transactionId } = started
        return (await sdk.post(endpoints.signInVerify.path, { transactionId, code })).status
      },
      token: async () => (await service.post(endpoints.validateToken.path, { token })).status,
      decision: async () => {
        const asked = { action: 'PAYMENT', userId: 'ada', dfrId, phoneNumber, params: { amount: 5 } }
        return (await service.post(endpoints.decide.path, asked)).status
      },
    }
    const found: Record<string, FlowCost> = {}
    for (const [name, flow] of Object.entries(flows)) {
      const seen: FlowCost[] = []
      for (let run = 0; run < 5; run++) {
        Object.assign(counts, { reads: 0, commits: 0 })
        sent.resetCalls()
        assert.equal(await flow(), 200, name)
        await delay(settledMs)
        seen.push({ ...counts, statements: sent.callCount() })
      }
      const expected = costOfFlows[name as keyof typeof costOfFlows]
      // The first runs also make what a user has once.
      const least = { reads: leastOf(seen, 'reads'), commits: leastOf(seen, 'commits') }
      // Fewer when equal reads happen to meet.
      const statements = Math.max(engine === 'postgres' ? leastOf(seen, 'statements') : 0, expected.statements)
      found[name] = { ...least, statements }
    }
    assert.deepEqual(found, costOfFlows)
  })
})
