import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { keyring } from '../../core/crypto/keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { revision } from '../identity/score.ts'
import { findLearning, putLearning } from '../store/device-learning.ts'
import { learnFrom, learnWhenDue } from './learn.ts'
import { priorOf } from './prior.ts'
import { eventOf } from './proven-pairs.ts'
import { learnedModels, priorModels, rereadMs } from './tenant-models.ts'
import { dayMs } from './testing/company.ts'
import { storeCompany } from './testing/store-company.ts'

/** A tenant with so many laptops of one company. */
async function scene(t: TestContext, open: TestDatabases['open'], laptops: number) {
  const database = await open(t)
  const clock = testClock()
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('bank')
  const services = { database, clock, tenantKeyring: keys }
  await storeCompany(tenantId, { laptops, now: clock.now() }, services)
  return { database, clock, tenantId, services }
}

const options = { since: 0, limit: 10_000 }
const nothing = { shifts: {}, sureness: {} }
const canvas = (which: 'agrees' | 'differs', shifts: Awaited<ReturnType<typeof learnFrom>>['shifts']) =>
  shifts['blink-desktop']?.canvasText?.[which][1] ?? 0

eachDatabase(({ engine, open }) => {
  test(`learns in steps from one half of the devices, and uses what judges no worse by the other half (${engine})`, async (t) => {
    const { database, clock, tenantId, services } = await scene(t, open, 240)
    await learnWhenDue(services)
    assert.equal(await findLearning(database, tenantId), undefined, 'nothing is learned before somebody uses it')
    const row = async () => (await findLearning(database, tenantId))!
    const due = clock.now() - 2 * dayMs
    await putLearning(database, tenantId, { state: 'used', learned: nothing, learnedAt: due }, 0)
    await learnWhenDue(services)
    const { revision: number, learned, learnedAt } = await row()
    assert.deepEqual([number, learnedAt], [2, clock.now()])
    // Equal hardware says less in a company with one model.
    const step = canvas('agrees', learned.shifts)
    const error = priorOf('blink-desktop', 1).error[eventOf(5, false)]!
    assert.ok(step < 0 && -step <= error / 4 + 0.001, `${step} of ${error}`)
    await learnWhenDue(services)
    assert.equal((await row()).revision, 2, 'not twice a day')
    await putLearning(database, tenantId, { state: 'frozen', learned, learnedAt: due }, 2)
    await learnWhenDue(services)
    assert.deepEqual([(await row()).revision, (await row()).learned], [3, learned])
    const { pairs, shifts } = await learnFrom(tenantId, options, services)
    assert.equal(pairs, 120)
    assert.ok(canvas('agrees', shifts) < step, 'further than the first step')
  })

  test(`uses and resets what was learned, on every server within ten seconds (${engine})`, async (t) => {
    const { database, clock, tenantId } = await scene(t, open, 1)
    const servers = [learnedModels({ database, clock }), learnedModels({ database, clock })]
    const revisions = () => Promise.all(servers.map(async (one) => (await one.of(tenantId)).revision))
    assert.deepEqual(await revisions(), [revision, revision])
    const learned = { shifts: { 'blink-desktop': { zone: { agrees: [1, 1, 1], differs: [0, 0, 0] } } }, sureness: {} }
    const row = { state: 'used', learned, learnedAt: clock.now() } as const
    assert.deepEqual(
      [await putLearning(database, tenantId, row, 0), await putLearning(database, tenantId, row, 0)],
      [true, false],
    )
    clock.advance({ ms: rereadMs })
    assert.deepEqual(await revisions(), [`${revision}+1`, `${revision}+1`])
    const built = await servers[0]!.of(tenantId)
    clock.advance({ ms: rereadMs })
    assert.equal(await servers[0]!.of(tenantId), built, 'built once for each revision')
    assert.ok(await putLearning(database, tenantId, { state: 'off', learned: nothing, learnedAt: 0 }, 1))
    clock.advance({ ms: rereadMs })
    assert.deepEqual(await revisions(), [revision, revision])
    assert.equal(await servers[0]!.of(tenantId), priorModels)
  })
})
