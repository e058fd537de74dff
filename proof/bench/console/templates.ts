// What is copied? Every decision, event and visit of the played month, opened, and split where it names its person.

import type { Decision } from '@ringfence/contract'
import type { TenantKeys } from '../../../server/src/core/crypto/keyring.ts'
import type { Database, Queryable } from '../../../server/src/core/storage/database.ts'
import { tenantHash } from '../../../server/src/core/storage/short-keys.ts'
import { openDecision } from '../../../server/src/decisions/record/record.ts'
import { decisionColumns, decisionOf, type FoundRow } from '../../../server/src/decisions/store/decisions.ts'
import { recordText } from '../../../server/src/device/store/record.ts'
import { contextOf as contextOfEvent } from '../../../server/src/events/sealed-event.ts'
import type { Parts } from '../../../server/src/parts.ts'
import { type CopiedText, copiedText } from './copied-text.ts'
import type { Subjects } from './population.ts'

export interface Templates {
  readonly decisions: readonly DecisionTemplate[]
  /** `decision.created` is made with each decision. */
  readonly events: readonly EventTemplate[]
  readonly visits: readonly VisitTemplate[]
  /** Who decided most often. */
  readonly busiest: Subjects
}

export interface DecisionTemplate {
  readonly lines: CopiedText
  readonly event: CopiedText
  readonly action: string
  readonly isReviewed: boolean
  readonly hasDevice: boolean
}

export interface EventTemplate {
  readonly type: string
  readonly outcome: string | null
  readonly data: CopiedText
  readonly has: ReadonlySet<string>
}

export interface VisitTemplate {
  readonly text: CopiedText
  readonly country: string | null
  readonly signals: string
}

type Resources = Pick<Parts, 'database' | 'compression'> & { readonly tenantId: string; readonly keys: TenantKeys }

export async function templatesOf(resources: Resources): Promise<Templates> {
  const rows = await resources.database.query<FoundRow>(`select ${decisionColumns} from decision`)
  const opened = rows.map((row) => openedDecision(row, resources))
  const decisions = opened.map(({ template }) => template)
  const byUser = Map.groupBy(
    opened.flatMap(({ subjects }) => (isWhole(subjects) ? [subjects] : [])),
    ({ userId }) => userId,
  )
  const [[busiest]] = [...byUser.values()].toSorted((a, b) => b.length - a.length) as [[Subjects]]
  const [events, visits] = await Promise.all([eventsOf(resources), visitsOf(resources)])
  return { decisions, events, visits, busiest }
}

const isWhole = (subjects: Partial<Subjects>): subjects is Subjects => Object.values(subjects).every(Boolean)

function openedDecision(row: FoundRow, { tenantId, keys, compression }: Resources) {
  const { answer, input, basis, review } = openDecision(decisionOf(row, tenantId), keys, compression)
  const decision = JSON.parse(answer.text) as Decision
  const { userId, phoneNumber, ip: ipAddress } = input
  const email = input.email?.address
  const { decisionId, createdAt, action, score, reasons, rules, device } = decision
  const deviceId = device?.deviceId || undefined
  const subjects = { userId, phoneNumber, email, ipAddress, deviceId }
  const gaps = { ...subjects, decisionId, createdAt }
  const data = {
    ...{ decisionId, action, operation: input.action, score },
    ...{ reasons: reasons.map(({ code }) => code), rules: rules.fired },
    ...{ userId, phoneNumber, deviceId, ipAddress },
  }
  const lines = [answer.text, JSON.stringify(input), JSON.stringify(basis)].join('\n')
  const template: DecisionTemplate = {
    lines: copiedText(lines, gaps),
    event: copiedText(JSON.stringify(data), gaps),
    ...{ action, isReviewed: review !== undefined, hasDevice: deviceId !== undefined },
  }
  return { template, subjects: subjects as Partial<Subjects> }
}

interface EventFound {
  id: Uint8Array
  type: string
  outcome: string | null
  sealed: Uint8Array
}

async function eventsOf({ database, keys }: Resources): Promise<EventTemplate[]> {
  const rows = await database.query<EventFound & Record<string, never>>(
    `select id, type, outcome, sealed from event where type <> 'decision.created' and type <> 'list.changed'`,
  )
  return rows.map(({ id, type, outcome, sealed }) => {
    const text = keys.open(sealed, contextOfEvent(id))
    const { userId, phoneNumber, deviceId, ipAddress, identity } = JSON.parse(text)
    const { type: kind, value } = identity ?? {}
    const named = {
      ...{ userId, deviceId, ipAddress },
      phoneNumber: phoneNumber ?? (kind === 'MOBILE' ? value : undefined),
      email: kind === 'EMAIL' ? value : undefined,
    }
    const has = new Set(Object.entries(named).flatMap(([name, each]) => (each ? [name] : [])))
    return { type, outcome, data: copiedText(text, named), has }
  })
}

async function visitsOf({ database, keys, compression, tenantId }: Resources): Promise<VisitTemplate[]> {
  const rows = await visitRows(database, tenantId)
  return rows.map(({ dfrId: id, country, signals, sealed }) => {
    const dfrId = Buffer.from(id).toString('hex')
    const text = recordText({ tenantId, dfrId, sealed }, keys, compression)
    const analysis = JSON.parse(text.split('\n')[1]!)
    const { userId } = analysis.updateInfo ?? {}
    const gaps = { dfrId, deviceId: analysis.deviceId, ipAddress: analysis.network?.ip, userId }
    return { text: copiedText(text, gaps), country, signals }
  })
}

const visitRows = (database: Database | Queryable, tenantId: string) =>
  database.query<{ dfrId: Uint8Array; country: string | null; signals: string; sealed: Uint8Array }>(
    `select dfr_id as "dfrId", country, signals, sealed from device_analysis
      where tenant_hash = $1 and push_hash is not null and sealed is not null`,
    [tenantHash(tenantId)],
  )
