import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ringfence } from '@ringfence/node'
import { type StartOptions, start, type Tenant, type TestService } from './index.ts'

const patient = { timeoutMs: 60_000, attemptTimeoutMs: 60_000 }
const startTimeoutMs = 120_000
const number = '917020141726'

const clientOf = ({ url, clientId, clientSecret }: Tenant) =>
  new Ringfence({ baseUrl: url, clientId, clientSecret, ...patient })

const startSlowly = (options: StartOptions = {}) => start({ startTimeoutMs, ...options })

describe('a service of a test', () => {
  let ringfence: TestService
  before(async () => {
    ringfence = await startSlowly()
  })
  after(() => ringfence.stop())

  test('a person signs in on a page, and the decision misses nothing and knows the device again', async () => {
    const tenant = await ringfence.tenant()
    const backend = clientOf(tenant)
    const page = tenant.page()
    const first = await page.signIn(number)
    const signedUp = await backend.decide({ action: 'SIGNUP', userId: 'asha', ...pick(first) })
    assert.deepEqual([signedUp.action, signedUp.missing], ['ALLOW', []])
    const second = await page.signIn('+91 70201 41726')
    const signedIn = await backend.decide({ action: 'LOGIN', userId: 'asha', ...pick(second) })
    assert.deepEqual([signedIn.action, signedIn.missing], ['ALLOW', []])
    assert.equal(signedIn.device?.deviceId, signedUp.device?.deviceId)
    const { dfrId } = await page.report({ userEventType: 'TRANSACTION', params: { order: 'o-1' } })
    const paid = await backend.decide({ action: 'PAYMENT', userId: 'asha', phoneNumber: number, dfrId })
    assert.deepEqual([paid.action, paid.missing], ['ALLOW', []])
  })
})

const pick = ({ token, dfrId }: { token: string; dfrId?: string }) => ({ token, ...(dfrId && { dfrId }) })
