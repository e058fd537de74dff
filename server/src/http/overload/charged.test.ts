import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminClient } from '../../admin/testing.ts'
import { adminPerson } from '../../admin/testing-person.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'

eachDatabase(({ engine, open }) => {
  test(`reading, checking and starting a call is charged to its network, or to its tenant once that is proven (${engine})`, async (t) => {
    const { parts: needs, post, tenantId } = await startTestService(t, await open(t))
    const charges: [flow: object, ms: number][] = []
    t.mock.method(needs.heavyWork.overload, 'charge', (...charge: [object, number]) => void charges.push(charge))
    const decide = () => post('/v1/decisions', { action: 'LOGIN', userId: 'ben' })
    const now = performance.now.bind(performance)
    let looks = 0
    const mocked = t.mock.method(performance, 'now', () => now() + 2 * looks++)
    assert.equal((await decide()).status, 200)
    assert.equal((await post('/v1/decisions', { action: 7 })).status, 400)
    t.mock.method(needs.heavyWork.overload, 'isPressed', () => true)
    await decide()
    charges.splice(2)
    await decide()
    mocked.mock.restore()
    const flows = charges.map(([flow]) => flow)
    assert.deepEqual(flows[0], { trafficClass: 'strangers', caller: '127.0.0.1' })
    assert.deepEqual(flows[1], flows[0], 'also a call that is refused')
    assert.deepEqual(flows.at(-1), { trafficClass: 'backends', caller: tenantId })
    assert.ok(charges.every(([, ms]) => ms >= 2))
  })

  test(`a call of the admin API is charged to the tenant of its client or session, a GET too (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const admin = await adminClient(service, 'owner')
    const person = await adminPerson(service, 'owner')
    t.mock.method(needs.heavyWork.overload, 'isPressed', () => true)
    const calls = [
      () => admin('readRuleVocabulary'),
      () => admin('checkRules', { text: '' }),
      () => person('describeLists'),
    ]
    for (const call of calls) assert.equal((await call()).status, 200)
    const flows: object[] = []
    t.mock.method(needs.heavyWork.overload, 'charge', (flow: object) => void flows.push(flow))
    const now = performance.now.bind(performance)
    let looks = 0
    t.mock.method(performance, 'now', () => now() + 2 * looks++)
    for (const call of calls) assert.equal((await call()).status, 200)
    assert.deepEqual(flows, Array(calls.length).fill({ trafficClass: 'pages', caller: tenantId }))
  })
})
