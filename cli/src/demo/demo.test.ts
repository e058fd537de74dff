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
import { maintain } from '@ringfence/server/maintenance.ts'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { pino } from 'pino'
import { sandboxApp, sandboxCredentials } from '../serve/sandbox-credentials.ts'
import { commandLine, type ServiceProcess, until } from '../testing.ts'
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
  test(`real calls make a month of traffic beside a service that goes on, and its removal leaves the traffic of others (${engine})`, async (t) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-demo-'))
    t.after(() => rm(dataFolder, { recursive: true }))
    const log = pino({ level: 'silent' })
    const config = readConfig({
      options: {
        ...{ dataFolder, masterKeyFile: join(dataFolder, 'master.key'), port: 0, drainMs: 0 },
        ...(engine === 'postgres' && { databaseUrl: await place(t) }),
      },
    })
    const service = await startService({ config, log })
    t.after(() => service.stop())
    const { url, parts: needs } = service
    const { database, settings } = needs
    const credentials = await sandboxCredentials(needs, dataFolder)
    const { id: appId, tenantId } = await sandboxApp(needs)
    const admin = await needs.clients.createClient(tenantId, 'admin', owner)
    const state = async (): Promise<DemoState> => (await callAdmin(url, 'readDemo', {}, { ...admin })).body
    const count = async (table: string) =>
      Number((await database.query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n)
    assert.equal((await callAdmin(url, 'removeDemo', {}, { ...admin })).status, 404)
    assert.equal((await state()).state, 'none')

    const now = Date.now()
    const demo = await claimDemo(database, { tenantId, now, makerUntil: now + claimMs })
    const story = storyOf(14)
    const sessions = story.sessions.filter((_, index) => index % 30 === 0)
    const ended = new AbortController()
    const making = makeDemo({ settings, demo: demo!, credentials, appId }, { ...story, sessions })
    const [outcome] = await Promise.all([
      making.finally(() => ended.abort()),
      // It deletes expired SDK sessions, and those of the demo have all expired.
      (async () => {
        while (!ended.signal.aborted) await maintain({ ...needs, measureClock: () => wait(500) })
      })(),
    ])
    assert.ok('made' in outcome)
    const { made } = outcome
    const shown = await state()
    assert.deepEqual([shown.state, shown.progress, shown.decisions], ['made', 1, made.decisions])
    assert.equal(await count('decision'), made.decisions)

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
    const outcomes = new Set(events.map((event) => `${event.type} ${event.outcome}`))
    const happened = ['decision.created ALLOW', 'decision.created BLOCK', 'label.created legitimate', ...ofSignIns]
    for (const expected of happened) {
      assert.ok(outcomes.has(expected), `${expected}: ${[...outcomes]}`)
    }

    const counted = async () => {
      const range = { from: new Date(now - demoDays * dayMs).toISOString(), to: new Date(now).toISOString() }
      const { body } = await callAdmin(url, 'readOverview', range, { ...admin })
      return Object.values(body.decisions as Record<string, number>).reduce((sum, each) => sum + each, 0)
    }
    assert.equal(await counted(), made.decisions)

    const own = await fetch(url + endpoints.decide.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify({ action: 'LOGIN', userId: 'newcomer' }),
    })
    const { decisionId } = (await own.json()) as { decisionId: string }
    const removed = await callAdmin(url, 'removeDemo', {}, { ...admin })
    assert.deepEqual([removed.status, removed.body.state], [200, 'removed'])
    assert.equal(await counted(), 0)
    assert.equal((await callAdmin(url, 'readDecision', { decisionId }, { ...admin })).status, 200)
    assert.equal(await count('decision'), 1)
    for (const table of [
      'device_analysis',
      'installation',
      'report_label',
      'account_knowledge',
      'account_device',
      'app_user',
      'identity',
    ]) {
      assert.equal(await count(table), 0, table)
    }
    assert.equal(await count('value_list where deleted_at is null'), 0)
    const stages = await needs.rules.versions(tenantId)
    assert.deepEqual(
      stages.filter((version) => version.stages.includes('live')).map(({ version }) => version),
      [0],
    )
    assert.equal(await claimDemo(database, { tenantId, now, makerUntil: now + claimMs }), undefined)
    const actions = await database.query<{ action: string }>('select action from audit_line')
    assert.deepEqual(
      actions.map(({ action }) => action).filter((action) => action === 'removeDemo'),
      ['removeDemo'],
    )
  })
})

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
  const grows = (service: ServiceProcess) =>
    until(
      () => stateOf(service, headers),
      ({ state, sessions }) => state === 'making' && sessions > 3,
      90,
    )
  const { until: end, sessions: before } = await grows(first)
  await first.stop('SIGKILL')

  const second = await serve(['--sandbox'], { demo: true })
  // Not before the claim of the killed process has ended.
  await until(
    () => stateOf(second, headers),
    ({ sessions }) => sessions < before,
    60,
  )
  assert.equal((await grows(second)).until, end)
  assert.equal((await callAdmin(second.url, 'removeDemo', {}, headers)).status, 200)
  await until(
    () => stateOf(second, headers),
    ({ state }) => state === 'removed',
    60,
  )
  assert.equal((await second.stop('SIGTERM')).code, 0)

  const third = await serve(['--sandbox'], { demo: true })
  await wait(500)
  assert.deepEqual(await stateOf(third, headers), {
    state: 'removed',
    progress: 1,
    until: end,
    people: 0,
    sessions: 0,
    decisions: 0,
  })
})
