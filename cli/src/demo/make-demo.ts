// How is the demo traffic made? By its own service and sandbox operator, on the same store, whose clock walks through the month.

import type { AddressInfo } from 'node:net'
import { clearDemo, removeDemo } from '@ringfence/server/admin/demo/remove-demo.ts'
import { recountActivity } from '@ringfence/server/admin/overview/count-activity.ts'
import {
  advanceDemo,
  type DemoRow,
  endDemoMaker,
  findDemo,
  putDemoTenant,
  shareDemo,
} from '@ringfence/server/admin/store/demo.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import type { Queryable } from '@ringfence/server/core/storage/database.ts'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { httpServer } from '@ringfence/server/http/server.ts'
import { openParts, type Parts, surfaceOf } from '@ringfence/server/parts.ts'
import { pino } from 'pino'
import { startSandboxBeside } from '../serve/sandbox-configuration.ts'
import { localApp } from '../serve/sandbox-credentials.ts'
import { backendOf } from './backend.ts'
import { claimMs, type Order, type Outcome } from './order.ts'
import { type Played, play } from './play.ts'
import { randomOf } from './random.ts'
import { dayMs, demoDays } from './session.ts'
import { type Story, storyOf } from './story.ts'

/** The same traffic at each installation. */
const seed = 14
const reportEveryMs = 1000
/** Name of the tenant, of its client and of its app. */
const demoName = 'demo'
/** India, where the demo's shop is, is this far ahead of UTC. */
const indiaMs = 5.5 * 3_600_000

/**
 * Makes a demo that this process has claimed. Only the clock and the addresses of visitors are simulated: all else are real calls.
 * @param story by default the whole month
 */
export async function makeDemo({ settings, demo }: Order, story: Story = storyOf(seed)): Promise<Outcome> {
  const { untilAt } = demo
  const from = firstMidnight(untilAt - demoDays * dayMs)
  const clock = movable(from)
  const log = pino({ level: 'silent' })
  const database = await openDatabase(settings.databaseUrl ?? settings.dataFolder, {
    pools: { read: 2, write: 2 },
  })
  const { sandbox, config, environment } = await startSandboxBeside({
    config: { settings: ofMaker(settings), connectors: {}, portabilitySources: {}, channels: {}, operators: [] },
    environment: process.env,
    port: 0,
    logger: log,
    clock,
  })
  const claim = claimOf(demo, database)
  const needs = await openParts({ config, database, clock, log, environment })
  const server = httpServer(needs, surfaceOf(needs))
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    needs.addresses.listensAt(url)
    // What an earlier start left half made.
    await clearDemo(demo, needs)
    const { tenantId, credentials, appId } = await openTenant(demo, needs)
    const planned = { sessionsPlanned: story.sessions.length, people: story.people }
    const {
      rules,
      signIn: { outbox },
    } = needs
    const messageTo = (phoneNumber: string) => outbox.messages().findLast(({ to }) => to === phoneNumber)?.text ?? ''
    const backend = backendOf({ url, appId, credentials, now: clock.now, messageTo })
    const stage = { backend, sandbox, rules, tenantId, random: randomOf(seed), clock, from, until: untilAt }
    const played = await play(story, stage, (soFar) => claim.report('making', { ...planned, ...soFar }))
    const isMade = await claim.report('made', { ...planned, ...played })
    clock.moveTo(Date.now())
    // The running service has counted up to the present, and looks at nothing that is older.
    if (isMade) await recountActivity(tenantId, needs)
    if (isMade) return { made: { ...played, people: story.people, tenantId } }
    const now = await findDemo(database, demo.tenantId)
    if (now?.stage !== 'removing') return { takenOver: true }
    await removeDemo(now, needs)
    return { removed: true }
  } finally {
    await claim.end()
    await server.close()
    await needs.close()
    await sandbox.close()
    await database.close()
  }
}

/** The demo's shop, which nothing else is in: the rules and lists of whoever starts it stay theirs. */
async function openTenant(demo: DemoRow, { database, tenantKeyring, clients, apps }: Parts) {
  const { id: tenantId } = await tenantKeyring.createTenant(demoName)
  const credentials = await clients.createClient(tenantId, demoName)
  const { id: appId } = await apps.create(tenantId, { ...localApp, name: demoName })
  await database.transaction(async (tx) => {
    await putDemoTenant(tx, demo, tenantId)
    await shareDemo(tx, demo.tenantId)
  })
  return { tenantId, credentials, appId }
}

/** Nothing leaves the process: no telemetry and no audit file. Addresses of visitors are in the header. */
function ofMaker({ otlpEndpoint: _, auditLog: __, ...settings }: Settings): Settings {
  return { ...settings, trustedProxies: '127.0.0.1', forwardedHeader: 'x-forwarded-for' }
}

/** Writes the progress about once a second, which prolongs the claim. False when the demo is removed, or made by another process. */
function claimOf({ tenantId, makerUntil }: DemoRow, database: Queryable) {
  let claimedUntil = makerUntil
  let reportedAt = Number.NEGATIVE_INFINITY
  return {
    async report(stage: 'making' | 'made', { sessions, decisions, ...planned }: Played & Planned): Promise<boolean> {
      if (stage === 'making' && Date.now() - reportedAt < reportEveryMs) return true
      reportedAt = Date.now()
      const counts = { ...planned, sessionsMade: sessions, decisionsMade: decisions }
      const until = stage === 'made' ? 0 : reportedAt + claimMs
      const isOurs = await advanceDemo(database, tenantId, counts, { stage, claimedUntil, makerUntil: until })
      if (isOurs) claimedUntil = until
      return isOurs
    },
    end: () => endDemoMaker(database, tenantId, claimedUntil),
  }
}

type Planned = Pick<DemoRow, 'sessionsPlanned' | 'people'>

const firstMidnight = (after: number) => Math.ceil((after + indiaMs) / dayMs) * dayMs - indiaMs

function movable(startsAt: number) {
  let now = startsAt
  return {
    now: () => now,
    /** Never back. */
    moveTo(epochMs: number) {
      now = Math.max(now, Math.round(epochMs))
    },
  }
}
