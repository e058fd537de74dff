// Does a running server stop when a newer version has removed what it uses?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { endpoints, readSamples } from '@ringfence/contract'
import { startService } from '../../main.ts'
import { maintain } from '../../maintenance.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { needed, nextVersion, versionAfterNext } from '../../testing/made-up-versions.ts'
import { sandboxParts } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../storage/open-database.ts'
import { logTo } from '../telemetry/log.ts'

/** A server of this version, with its log and one client. */
async function startServer(t: TestContext, { engine, place }: TestDatabases) {
  const where = await place(t)
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const masterKey = randomBytes(32).toString('base64')
  const store = engine === 'postgres' ? { databaseUrl: where, dataFolder: folder } : { dataFolder: where }
  const options = { ...store, masterKey, port: 0, drainMs: 0, overloadDelayMs: 60_000 }
  const log = logTo(join(folder, 'log'))
  const service = await startService({
    config: { ...sandboxParts({ url: 'http://127.0.0.1:9' }), settings: readConfig({ options }).settings },
    log,
    environment: { SANDBOX_SECRET: 'none' },
  })
  atEnd(t, () => service.stop())
  const { parts: needs, url } = service
  const tenantId = (await needs.tenantKeyring.createTenant('shop')).id
  const credentials = { ...(await needs.clients.createClient(tenantId, 'backend')) }
  const issue = async () => {
    const response = await fetch(url + endpoints.issueToken.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify(readSamples().IssueTokenRequest?.ordinary),
    })
    return { status: response.status, body: (await response.json()) as { errorCode?: string } }
  }
  const ready = async () => {
    const response = await fetch(`${url}/ready`)
    return { status: response.status, body: await response.json() }
  }
  const worries = async () => {
    await new Promise((resolve) => log.flush(resolve))
    const text = await readFile(join(folder, 'log'), 'utf8')
    const lines: { level: string; msg: string; err?: { message: string } }[] = text
      .split('\n')
      .slice(0, -1) // the last may still be written
      .map((line) => JSON.parse(line))
    return lines.filter(({ level }) => level !== 'info')
  }
  return { where, needs, worries, issue, ready }
}

/** What another process of a newer version does at its start. */
async function openAsNewer(t: TestContext, where: string) {
  const database = await openDatabase(where, { migrations: versionAfterNext })
  atEnd(t, () => database.close())
  return database
}

eachDatabase((databases) => {
  const { engine } = databases
  const isRefused = ({ status }: { status: number }) => status === 503

  test(`/ready names a schema that became too new, the log says so once, and nothing is written (${engine})`, async (t) => {
    const { where, needs, worries, issue, ready } = await startServer(t, databases)
    await (await openDatabase(where, { migrations: nextVersion })).close()
    await needs.database.ping()
    assert.equal((await issue()).status, 200, 'a newer schema is no reason to stop')
    await until(async () => (await ready()).status === 200)

    const worriesBefore = (await worries()).length
    const newer = await openAsNewer(t, where)
    const tooNew = { status: 503, body: { status: 'schema too new' } }
    await until(async () => isDeepStrictEqual(await ready(), tooNew))
    const count = () => newer.query('select count(*) as n from token')
    const before = await count()
    for (let calls = 0; calls < 3; calls++) {
      const refused = await issue()
      assert.deepEqual([refused.status, refused.body.errorCode], [503, '70503'])
    }
    await maintain({ ...needs, measureClock: async () => undefined })
    assert.deepEqual(await count(), before)
    // Batches are looked for each second.
    await wait(1_500)
    const found = (await worries()).slice(worriesBefore)
    assert.deepEqual(
      found.map(({ msg }) => msg),
      ['not ready: the schema of the store is too new for this version'],
    )
    const cause = new RegExp(
      `servers need migration ${needed}, and this version knows them up to .* Replace this server`,
    )
    assert.match(found[0]?.err?.message ?? '', cause)
    assert.match((await needs.metrics.text()).body, /^ringfence_store_unavailable_total\{reason="schema"\}/m)
  })

  test(`a server that nobody asks for /ready finds within seconds that its schema is too new (${engine})`, async (t) => {
    const { where, issue } = await startServer(t, databases)
    assert.equal((await issue()).status, 200)
    await openAsNewer(t, where)
    await until(async () => isRefused(await issue()))
  })
})
