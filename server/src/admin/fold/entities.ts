// What does a page of the event log say of users, devices and numbers? Each has one row, which is read, changed and replaced.

import type { EventType } from '@ringfence/contract'
import type { Pause } from '../../core/heavy-work/slices.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { isBad } from '../../device/history/label.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import {
  type ChangedEntity,
  type EntityKey,
  type EntityKind,
  type EntityLink,
  type EntityRow,
  fewerShared,
  findEntities,
  findLinks,
} from '../store/entities.ts'
import type { DecisionFacts, FoldResources } from './decision-facts.ts'
import { type Changing, openContent, recentDays, sealContent, withDay, withReasons } from './entity-content.ts'
import { type MergedDevice, mergedDevice, mergeRows } from './merged-devices.ts'
import type { ChangedLabel, FoldedPart, PartEvent } from './part.ts'

/** A device or number has no more links: a shared one is known as such long before. */
const mostShared = 1000
/** A bad label weighs more than any number of refused decisions. */
const labelWeight = 1_000_000

const textOf = (hash: Uint8Array) => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
const idOf = ({ kind, hash }: EntityKey) => `${kind} ${textOf(hash)}`
const columnOf = { user: 'userHash', device: 'deviceHash', number: 'numberHash' } as const satisfies Record<
  EntityKind,
  keyof EventSubjects
>

export interface ChangedEntities {
  /** To put. */
  readonly entities: readonly ChangedEntity[]
  /** To add. */
  readonly links: readonly EntityLink[]
  /** About rows that are not put. */
  readonly statements: readonly BatchStatement[]
}

export interface FoldOfEntities {
  add(part: FoldedPart): Promise<void>
  /** How many rows were looked up. */
  subjects(): number
  changed(): Promise<ChangedEntities>
}

/** Of a page: the row of a subject is read in the part that names it first. */
export async function foldOfEntities(
  tenantId: string,
  { database, tenantKeyring, clock }: FoldResources,
  pause: Pause,
): Promise<FoldOfEntities> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const rows = new Map<string, Changing>()
  const lookedUp = new Set<string>()
  const sortedBefore = new Map<string, string>()
  const newLinks = linksOf(tenantId, rows, database)
  const merges: MergedDevice[] = []
  const lookUp = async (named: readonly EntityKey[]) => {
    const wanted = new Map(named.map((key) => [idOf(key), key]))
    for (const id of wanted.keys()) if (lookedUp.has(id)) wanted.delete(id)
    for (const { sealed, risk, ...row } of await findEntities(database, tenantId, [...wanted.values()])) {
      const content = openContent({ ...row, sealed }, keys) ?? { value: '', reasons: {}, days: [] }
      rows.set(idOf(row), { ...row, content: { ...content, days: recentDays(content.days, now) } })
      sortedBefore.set(idOf(row), sortedBy({ ...row, risk }))
      await pause()
    }
    for (const id of wanted.keys()) lookedUp.add(id)
  }
  return {
    subjects: () => lookedUp.size,
    async add(part) {
      const sighted = part.events.map((event) => ({ event, sightings: sightingsOf(event) }))
      const seen = sighted.flatMap(({ sightings }) => sightings)
      const merged = part.events.flatMap((event) => mergedDevice(event, keys))
      merges.push(...merged)
      const labelled = part.labels.flatMap(({ subjects }) => keysOf(subjects))
      await lookUp([...seen, ...merged.map(({ from }) => from), ...labelled])
      for (const sighting of seen) sight(rows, sighting)
      await pause()
      for (const { type, data } of part.events) {
        const decision = type === 'decision.created' && part.decisions.get(String(data.decisionId))
        if (decision) addDecision(rows, decision)
      }
      for (const changed of part.labels) addLabel(rows, changed)
      await pause()
      await newLinks.add(sighted)
    },
    async changed() {
      let links = newLinks.all()
      const statements: BatchStatement[] = []
      const others: Uint8Array[] = []
      for (const merge of merges) {
        const merged = await mergeRows(rows, merge, links, { tenantId, database, idOf })
        links = merged.links
        statements.push(...merged.statements)
        others.push(...merged.others)
      }
      statements.push(...fewerShared(tenantId, others))
      const entities: ChangedEntity[] = []
      for (const { content, ...row } of rows.values()) {
        const risk = Math.max(0, row.badLabels) * labelWeight + Math.min(row.refused, labelWeight - 1)
        const isSeenAgain = sortedBefore.get(idOf(row)) === sortedBy({ ...row, risk })
        entities.push({ ...row, risk, sealed: sealContent(content, row.kind, row.hash, keys), isSeenAgain })
        await pause()
      }
      return { entities, links, statements }
    },
  }
}

/** What tables sort by, but for when it was last seen; and what follows from the same events. */
const sortedBy = ({ firstSeenAt, refused, badLabels, goodLabels, shared, risk }: Omit<EntityRow, 'sealed'>): string =>
  `${firstSeenAt} ${refused} ${badLabels} ${goodLabels} ${shared} ${risk}`

interface Sighting extends EntityKey {
  readonly value: string
  readonly at: number
}

/** Nobody did anything: time passed. */
const unseen: ReadonlySet<string> = new Set<EventType>(['decision.challenge.expired', 'decision.review.overdue'])

/** What an event names, with its hash. What only a page says of the user is a hint, and is not counted. */
function sightingsOf({ type, data, at, ...hashes }: PartEvent): Sighting[] {
  if (unseen.has(type)) return []
  const { identity } = data as { identity?: { type?: unknown; value?: unknown } }
  const isReport = type === 'device.report.created'
  const values: Partial<Record<EntityKind, unknown>> = {
    ...(!isReport && {
      user: data.userId,
      number: data.phoneNumber ?? (identity?.type === 'MOBILE' && identity.value),
    }),
    device: data.deviceId,
  }
  return (Object.keys(columnOf) as EntityKind[]).flatMap((kind) => {
    const [hash, value] = [hashes[columnOf[kind]], values[kind]]
    return hash && typeof value === 'string' && value !== '' ? [{ kind, hash, value, at }] : []
  })
}

const keysOf = (subjects: EventSubjects): EntityKey[] =>
  (Object.keys(columnOf) as EntityKind[]).flatMap((kind) => {
    const hash = subjects[columnOf[kind]]
    return hash ? [{ kind, hash }] : []
  })

function sight(rows: Map<string, Changing>, { kind, hash, value, at }: Sighting): void {
  const id = idOf({ kind, hash })
  const row = rows.get(id)
  if (row) {
    row.firstSeenAt = Math.min(row.firstSeenAt, at)
    row.lastSeenAt = Math.max(row.lastSeenAt, at)
    if (row.content.value === '') row.content = { ...row.content, value }
    return
  }
  rows.set(id, {
    ...{
      kind,
      hash,
      firstSeenAt: at,
      lastSeenAt: at,
      decisions: 0,
      refused: 0,
      badLabels: 0,
      goodLabels: 0,
      shared: 0,
    },
    content: { value, reasons: {}, days: [] },
  })
}

function addDecision(rows: ReadonlyMap<string, Changing>, decision: DecisionFacts): void {
  const { isStopped, decidedAt, reasons } = decision
  for (const key of keysOf(decision)) {
    const row = rows.get(idOf(key))
    if (!row) continue
    row.decisions++
    if (isStopped) row.refused++
    const days = withDay(row.content.days, decidedAt, isStopped ? { refused: 1 } : { passed: 1 })
    row.content = { ...row.content, reasons: withReasons(row.content.reasons, reasons), days }
  }
}

/** An attacked account is no bad one: labels of what was stopped do not count for a user, and take-overs count apart. */
function addLabel(rows: ReadonlyMap<string, Changing>, { decision, subjects, at, before, label }: ChangedLabel): void {
  for (const key of keysOf(subjects)) {
    const row = rows.get(idOf(key))
    if (!row) continue
    const isUser = key.kind === 'user'
    for (const [each, amount] of [
      [before, -1],
      [label, 1],
    ] as const) {
      if (each === undefined) continue
      if (!isBad(each)) row.goodLabels += amount
      else if (!isUser || !decision?.isStopped) {
        const isTakenOver = isUser && each === 'accountTakeover'
        if (!isTakenOver) row.badLabels += amount
        const added = isTakenOver ? { takenOver: amount } : { bad: amount }
        row.content = { ...row.content, days: withDay(row.content.days, decision?.decidedAt ?? at, added) }
      }
    }
  }
}

interface Sighted {
  readonly event: PartEvent
  readonly sightings: readonly Sighting[]
}

/** Which user was seen with a device or number for the first time? */
function linksOf(tenantId: string, rows: ReadonlyMap<string, Changing>, database: FoldResources['database']) {
  const linkId = (link: EntityLink) => `${idOf(link)} ${textOf(link.userHash)}`
  const known = new Set<string>()
  const added: EntityLink[] = []
  return {
    all: (): EntityLink[] => added,
    async add(sighted: readonly Sighted[]): Promise<void> {
      const wanted = new Map<string, EntityLink>()
      for (const { event, sightings } of sighted) {
        const { userHash, type } = event
        if (!userHash || (type !== 'decision.created' && type !== 'sign_in.completed')) continue
        for (const { kind, hash } of sightings) {
          const link = { kind, hash, userHash }
          if (kind !== 'user' && !known.has(linkId(link))) wanted.set(linkId(link), link)
        }
      }
      for (const link of await findLinks(database, tenantId, [...wanted.values()])) {
        known.add(linkId(link))
        wanted.delete(linkId(link))
      }
      for (const [id, link] of wanted) {
        const thing = rows.get(idOf(link))
        const user = rows.get(idOf({ kind: 'user', hash: link.userHash }))
        if (!thing || !user || thing.shared >= mostShared) continue
        thing.shared++
        if (link.kind === 'device') user.shared++
        known.add(id)
        added.push(link)
      }
    },
  }
}
