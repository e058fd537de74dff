import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendAuditLine } from '../../admin/audit/chain.ts'
import { adminClient } from '../../admin/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { Slices } from './slices.ts'

/** Slices that end at each pause. At the first one, a neighbour calls, and the heavy work goes on when it was answered. */
function slicesWith(neighbour: () => Promise<unknown>) {
  let elapsedMs = 0
  const real = new Slices({ stopwatch: () => (elapsedMs += 5) })
  const seen = { pauses: 0 }
  const shared: Pick<Slices, 'during'> = {
    during: (tenantId, work) =>
      real.during(tenantId, (pause) =>
        work(async () => {
          await pause()
          if (seen.pauses++ === 0) await neighbour()
        }),
      ),
  }
  return { shared, seen }
}

async function neighbourOf({ parts: needs, url }: TestService) {
  const { id } = await needs.tenantKeyring.createTenant('neighbour')
  const credentials = await needs.clients.createClient(id, 'neighbour')
  return async () => {
    const response = await fetch(`${url}/v1/decisions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify({ action: 'LOGIN', userId: 'ben' }),
    })
    assert.equal(response.status, 200)
  }
}

const lines = 120

async function fillAuditLog({ parts: needs, tenantId, clock }: TestService): Promise<void> {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const line = { tenantId, at: clock.now(), actor: 'person:1', action: 'addListEntries', details: { sent: {} } }
  for (let count = 0; count < lines; count++) await needs.database.transaction((tx) => appendAuditLine(tx, line, keys))
}

const unknown = { kind: 'userId', value: 'nobody' }
const reason = 'Ticket 4711'
const entries = Array.from({ length: lines }, (_, at) => ({ value: `card-${at}` }))
/** Heavy for a tenant with so many lines in its audit log. */
const heavyCalls = [
  ['verifyAudit', {}],
  ['exportAudit', {}],
  ['exportSubject', { subject: unknown, reason }],
  ['eraseSubject', { subject: unknown, reason }],
  ['addListEntries', { name: 'cards', entries }],
  ['previewListImport', { name: 'cards', lines: entries.map(({ value }) => value).join('\n') }],
  ['removeListEntries', { name: 'cards', values: entries.map(({ value }) => value) }],
] as const

eachDatabase(({ engine, open }) => {
  test(`a neighbour is answered between the slices of every heavy call (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    await fillAuditLog(service)
    const { parts: needs, tenantId } = service
    await needs.rules.lists.create(tenantId, { name: 'cards', kind: 'text', purpose: 'block' }, 'test')
    const admin = await adminClient(service, 'owner')
    const neighbour = await neighbourOf(service)
    for (const [name, fields] of heavyCalls) {
      const { shared, seen } = slicesWith(neighbour)
      needs.heavyWork.slices = shared
      const { status, body } = await admin(name, fields)
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      assert.ok(seen.pauses >= lines, `${name} pauses ${seen.pauses} times`)
    }
  })
})
