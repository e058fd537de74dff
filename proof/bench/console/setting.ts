// What does a tenant have beside its decisions after some years? Audit lines, people, versions of rules, entries of a list, deliveries.

import { randomBytes, randomUUID } from 'node:crypto'
import { appendAuditLine } from '../../../server/src/admin/audit/chain.ts'
import { emailHash, type Person, sealPerson } from '../../../server/src/admin/people/person.ts'
import { insertPerson, putPersonRole } from '../../../server/src/admin/store/people.ts'
import type { TenantKeys } from '../../../server/src/core/crypto/keyring.ts'
import { attemptsInsert } from '../../../server/src/events/store/attempts.ts'
import { Webhooks } from '../../../server/src/events/webhooks/webhooks.ts'
import type { Parts } from '../../../server/src/parts.ts'

export interface Counts {
  readonly auditLines: number
  readonly people: number
  readonly ruleVersions: number
  readonly listEntries: number
  readonly attempts: number
}

export const listName = 'mules'

interface Resources {
  readonly needs: Parts
  readonly tenantId: string
  readonly keys: TenantKeys
  /** Epoch milliseconds. */
  readonly now: number
}

/** @returns the id of the webhook */
export async function addSetting(counts: Counts, resources: Resources): Promise<string> {
  await addAuditLines(counts.auditLines, resources)
  await addPeople(counts.people, resources)
  await addRuleVersions(counts.ruleVersions, resources)
  await addEntries(counts.listEntries, resources)
  return addAttempts(counts.attempts, resources)
}

const lineEveryMs = 25_000
const linesAtOnce = 2_000
const changes = ['resolveReview', 'label', 'addListEntries', 'reveal', 'saveRuleDraft', 'trustUserDevice']

async function addAuditLines(count: number, { needs, tenantId, keys, now }: Resources): Promise<void> {
  for (let done = 0; done < count; done += linesAtOnce) {
    await needs.database.transaction(async (tx) => {
      for (let line = done; line < Math.min(done + linesAtOnce, count); line++) {
        const action = changes[line % changes.length]!
        const at = now - (count - line) * lineEveryMs
        const details = { request: { decisionId: randomUUID(), outcome: 'approved' }, name: `Analyst ${line % 40}` }
        await appendAuditLine(tx, { tenantId, at, actor: `person:${line % 40}`, action, details }, keys)
      }
    })
  }
}

async function addPeople(count: number, { needs, tenantId, now }: Resources): Promise<void> {
  const { database, keyring } = needs
  await database.transaction(async (tx) => {
    for (let person = 0; person < count; person++) {
      const id = randomUUID()
      const email = `analyst-${person}@shop.example`
      const sealed = sealPerson(id, { name: `Analyst ${person}`, email } as Person, keyring)
      const row = { id, emailHash: emailHash(email, keyring), sealed, lastCodeStep: 0, createdAt: now }
      await insertPerson(tx, row)
      await putPersonRole(tx, { person: row, tenantId, role: 'analyst', createdAt: now })
    }
  })
}

async function addRuleVersions(count: number, { needs, tenantId }: Resources): Promise<void> {
  const { live } = await needs.rules.current(tenantId)
  const rules = await needs.rules.read(tenantId, live.version)
  for (let version = 0; version < count; version++) {
    await needs.rules.draft(tenantId, rules, { by: 'tara', note: `Change ${version}` })
  }
}

const entriesAtOnce = 500

async function addEntries(
  count: number,
  {
    needs: {
      rules: { lists },
    },
    tenantId,
  }: Resources,
): Promise<void> {
  await lists.create(tenantId, { name: listName, kind: 'text', purpose: 'block' }, 'tara')
  for (let done = 0; done < count; done += entriesAtOnce) {
    const entries = Array.from({ length: entriesAtOnce }, (_, index) => ({ value: `payee-${done + index}` }))
    await lists.add(tenantId, listName, entries, 'tara')
  }
}

async function addAttempts(count: number, { needs, tenantId, now }: Resources): Promise<string> {
  const types = ['decision.created']
  const { id } = await new Webhooks(needs).add(tenantId, { url: 'https://hooks.shop.example/ringfence', types })
  await new Webhooks(needs).setState(tenantId, id, 'paused')
  for (let done = 0; done < count; done += linesAtOnce) {
    const attempts = Array.from({ length: linesAtOnce }, (_, index) => ({
      ...{ receiverId: id, tenantId, eventId: randomBytes(16), type: 'decision.created' },
      attemptedAt: now - (count - done - index) * 500,
      ...{ result: 'accepted' as const, status: 200, durationMs: 40, sealedAnswer: null },
    }))
    await needs.database.batch(attempts.map((attempt) => attemptsInsert([attempt])))
  }
  return id
}
