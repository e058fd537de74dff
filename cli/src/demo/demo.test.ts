import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type DemoState, endpoints } from '@ringfence/contract'
import { startService } from '@ringfence/server'
import { claimDemo } from '@ringfence/server/admin/store/demo.ts'
import { callAdmin } from '@ringfence/server/admin/testing.ts'
import { readConfig } from '@ringfence/server/core/config/config.ts'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { maintain } from '@ringfence/server/maintenance.ts'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { pino } from 'pino'
import { sandboxApp, sandboxCredentials } from '../serve/sandbox-credentials.ts'
import { commandLine, type ServiceProcess } from '../testing.ts'
import { makeDemo } from './make-demo.ts'
import { claimMs } from './order.ts'
import { dayMs, demoDays } from './session.ts'
import { storyOf } from './story.ts'

const ofSignIns = ['sign_in.started started', 'sign_in.completed completed']
const owner = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'owner' } as const

test('the month has the same people and sessions each time, spread over its days', () => {
  const [story, again] = [storyOf(14), storyOf(14)]
  const plain = ({ sessions }: typeof story) => sessions.map(({ at, who, address }) => [at, who.userId, address])
  assert.deepEqual(plain(story), plain(again))
  const days = Map.groupBy(story.sessions, ({ at }) => Math.floor(at / dayMs))
  assert.equal(days.size, demoDays)
  for (const [day, sessions] of days) assert.ok(sessions.length >= 8, `day ${day} has ${sessions.length} sessions`)
})

eachDatabase(({ engine, place }) => {
  test(`real calls make a month in its own tenant beside a service that goes on, and its removal leaves the store as it was (${engine})`, async (t) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-demo-'))
    const config = readConfig({
      options: {
        ...{ dataFolder, masterKeyFile: join(dataFolder, 'master.key'), port: 0, drainMs: 0 },
        ...(engine === 'postgres' && { databaseUrl: await place(t) }),
      },
    })
    const service = await startService({ config, log: pino({ level: 'silent' }) })
    t.after(async () => {
      await service.stop()
      await rm(dataFolder, { recursive: true }) // last: nobody writes into it any more
    })
    const { url, parts: needs } = service
    const { database, settings } = needs
    const credentials = await sandboxCredentials(needs, dataFolder)
    const { tenantId } = await sandboxApp(needs)
    const admin = await needs.clients.createClient(tenantId, 'admin', owner)
    const ask = async (name: Parameters<typeof callAdmin>[1], request = {}, caller = admin) =>
      callAdmin(url, name, request, { ...caller })
    assert.equal((await ask('removeDemo')).status, 404)
    assert.equal((await ask('readDemo')).body.state, 'none')

    const now = Date.now()
    const demo = await claimDemo(database, { tenantId, now, makerUntil: now + claimMs })
    const before = await rowsOf(database)
    const story = storyOf(14)
    const sessions = story.sessions.filter((_, index) => index % 30 === 0)
    const ended = new AbortController()
    const making = makeDemo({ settings, demo: demo! }, { ...story, sessions })
    const [outcome] = await Promise.all([
      making.finally(() => ended.abort()),
      // It deletes expired SDK sessions, and those of the demo have all expired.
      (async () => {
        while (!ended.signal.aborted) await maintain({ ...needs, measureClock: () => wait(500) })
      })(),
    ])
    assert.ok('made' in outcome)
    const { made } = outcome
    const visitor = await needs.clients.createClient(made.tenantId, 'visitor', owner)
    const shown = (await ask('readDemo')).body as DemoState
    const { state, progress, decisions, madeFor, tenantId: ofDemo } = shown
    assert.deepEqual([state, progress, decisions, madeFor], ['made', 1, made.decisions, tenantId])
    assert.deepEqual((await ask('readDemo', {}, visitor)).body, shown)
    assert.equal(ofDemo, made.tenantId)

    assert.equal((await ask('searchEvents', { limit: 1 })).body.events.length, 0, 'the newcomer has none')
    await assertMonth(database, now)
    const counted = async () => {
      const range = { from: new Date(now - demoDays * dayMs).toISOString(), to: new Date(now).toISOString() }
      const { body } = await ask('readOverview', range, visitor)
      return Object.values(body.decisions as Record<string, number>).reduce((sum, each) => sum + each, 0)
    }
    assert.equal(await counted(), made.decisions)

    const own = await fetch(url + endpoints.decide.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify({ action: 'LOGIN', userId: 'newcomer' }),
    })
    const { decisionId, rules } = (await own.json()) as { decisionId: string; rules: { version: number } }
    assert.equal(rules.version, 0, 'the default rules answer the newcomer')
    assert.equal((await ask('removeDemo', {}, visitor)).status, 404, 'its audit line would go with the demo')
    const removed = await ask('removeDemo')
    assert.deepEqual([removed.status, removed.body.state], [200, 'removed'])
    assert.equal((await ask('readDecision', { decisionId })).status, 200)
    const after = await rowsOf(database)
    const ofOwn = ['decision', 'event', 'audit_line', 'audit_head', 'activity_count', 'activity_progress']
    const withoutTenant = ['request_count', 'velocity_count', 'server', 'signing_key', ...ofOwn]
    const left = Object.keys(after).filter((table) => after[table]! > before[table]! && !withoutTenant.includes(table))
    assert.deepEqual(left, [])
    assert.deepEqual([after.decision, after.event], [1, 1])
    assert.equal(await claimDemo(database, { tenantId, now, makerUntil: now + claimMs }), undefined)
    const actions = await database.query<{ action: string }>('select action from audit_line where tenant_id = $1', [
      tenantId,
    ])
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['removeDemo'],
    )
  })
})

/** Every event has its time within the month, and ids sort by it. */
async function assertMonth(database: Database, now: number): Promise<void> {
  const events = await database.query<{ type: string; occurredAt: number; outcome: string }>(
    'select type, occurred_at as "occurredAt", outcome from event order by id',
  )
  const times = events.map(({ occurredAt }) => occurredAt)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  const decided = events.filter(({ type }) => type === 'decision.created')
  assert.ok(decided[0]!.occurredAt > now - demoDays * dayMs && decided.at(-1)!.occurredAt < now)
  assert.ok(decided.at(-1)!.occurredAt - decided[0]!.occurredAt > 25 * dayMs)
  // The browsers are drawn once into a file: a fact that is owed since then would have every shopper challenged.
  const allowed = decided.filter(({ outcome }) => outcome === 'ALLOW')
  assert.ok(allowed.length * 2 > decided.length, `${allowed.length} of ${decided.length} decisions allow`)
  const outcomes = new Set(events.map((event) => `${event.type} ${event.outcome}`))
  const happened = ['decision.created ALLOW', 'decision.created BLOCK', 'label.created legitimate', ...ofSignIns]
  for (const expected of happened) assert.ok(outcomes.has(expected), `${expected}: ${[...outcomes]}`)
}

/** How many rows each table has. */
async function rowsOf(database: Database): Promise<Record<string, number>> {
  const sql = (await readMigrations()).map((migration) => migration.sql).join('\n')
  const counts: Record<string, number> = {}
  for (const [, table = ''] of sql.matchAll(/^create table (\w+)/gm)) {
    const [row] = await database.query<{ n: number }>(`select cast(count(*) as bigint) as n from ${table}`)
    counts[table] = row!.n
  }
  return counts
}

test('a killed service makes the demo again at its next start; once removed, it stays so', async (t) => {
  const { serve, run } = await commandLine(t)
  const asOwner = async () => {
    const restrictions = ['--scope', 'admin', '--role', 'owner']
    const words = ['clients', 'create', '--tenant', 'sandbox', '--name', 'owner', ...restrictions, '--json']
    const { clientId, clientSecret } = JSON.parse((await run(words)).stdout)
    return { clientId, clientSecret }
  }
  const stateOf = async ({ url }: ServiceProcess, headers: Record<string, string>): Promise<DemoState> =>
    (await callAdmin(url, 'readDemo', {}, headers)).body
  const first = await serve(['--sandbox'], { demo: true })
  const headers = await asOwner()
  const clients = JSON.parse((await run(['clients', 'list', '--json'])).stdout) as { tenant: string }[]
  const tenants = new Set(clients.map(({ tenant }) => tenant))
  assert.ok(tenants.isSubsetOf(new Set(['sandbox', 'demo'])), 'nothing stays of the decision before the first one')
  const grows = (service: ServiceProcess) =>
    until(
      () => stateOf(service, headers),
      ({ state, sessions }) => state === 'making' && sessions > 3,
    )
  const { until: end, tenantId: before } = await grows(first)
  await first.stop('SIGKILL')

  const second = await serve(['--sandbox'], { demo: true })
  // Not before the claim of the killed process has ended: then in a new tenant.
  await until(
    () => stateOf(second, headers),
    ({ tenantId }) => tenantId !== undefined && tenantId !== before,
  )
  assert.equal((await grows(second)).until, end)
  assert.equal((await callAdmin(second.url, 'removeDemo', {}, headers)).status, 200)
  await until(
    () => stateOf(second, headers),
    ({ state }) => state === 'removed',
  )
  assert.equal((await second.stop('SIGTERM')).code, 0)

  const third = await serve(['--sandbox'], { demo: true })
  await wait(500)
  const { madeFor, ...removed } = await stateOf(third, headers)
  const nothing = { people: 0, sessions: 0, decisions: 0 }
  assert.deepEqual(removed, { state: 'removed', progress: 1, until: end, ...nothing })
  assert.ok(madeFor)
})
