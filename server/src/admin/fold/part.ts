// What is in a part of a page of the event log? Its events, their decisions, and the labels that change.

import { isUuid, uuidBytes } from '../../core/storage/uuid.ts'
import { dfrIdOf, isDfrId } from '../../device/store/find-analysis.ts'
import type { Label } from '../../device/store/labels/report-labels.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import type { Progress } from '../store/activity.ts'
import { type FoldedLabel, foldedLabels } from '../store/folded-labels.ts'
import {
  type DecisionFacts,
  decisionFacts,
  decisionIdsOfReport,
  type FactsEvent,
  type FoldResources,
  factsOfEvents,
} from './decision-facts.ts'

export type PartEvent = FactsEvent & { readonly id: Uint8Array; readonly at: number }

/** A decision, or a report without one, has another label than before. */
export interface ChangedLabel {
  readonly decision: DecisionFacts | undefined
  /** The subjects of the label, also without a decision. */
  readonly subjects: EventSubjects
  readonly at: number
  readonly before: Label | undefined
  readonly label: Label
}

export interface FoldedPart {
  readonly events: readonly PartEvent[]
  readonly decisions: ReadonlyMap<string, DecisionFacts>
  readonly labels: readonly ChangedLabel[]
  /** Whether something of this time is counted: a rebuild counts nothing from before the days that it counts again. */
  isCounted(event: PartEvent, belongsTo: number): boolean
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

interface OfPage {
  readonly progress: Progress | undefined
  /** Those of the parts before, to which this one adds. */
  readonly labels: Map<string, FoldedLabel>
}

export async function foldedPart(
  tenantId: string,
  events: readonly PartEvent[],
  { progress, labels }: OfPage,
  resources: FoldResources,
): Promise<FoldedPart> {
  const isCounted = (event: PartEvent, belongsTo: number) =>
    !progress?.rebuiltTo || Buffer.compare(event.id, progress.rebuiltTo) >= 0 || belongsTo >= progress.rebuiltFrom
  const labelled = await Promise.all(
    events.filter(({ type }) => type === 'label.created').map((event) => labelledBy(tenantId, event, resources)),
  )
  const named = events.flatMap(({ data }) => textOf(data.decisionId) ?? [])
  const decisions = await factsOfEvents(tenantId, events, resources)
  const ids = new Set([...named, ...labelled.flatMap(({ decisionIds }) => decisionIds)])
  const unknown = [...ids].filter((id) => !decisions.has(id))
  for (const [id, facts] of await decisionFacts(tenantId, unknown, resources)) decisions.set(id, facts)
  const changed = await changesOf(tenantId, labelled, { decisions, isCounted, labels }, resources)
  return { events, decisions, labels: changed, isCounted }
}

interface Labelled {
  readonly event: PartEvent
  readonly decisionIds: readonly string[]
  readonly dfrId: string | undefined
}

async function labelledBy(tenantId: string, event: PartEvent, resources: FoldResources): Promise<Labelled> {
  const { data, deviceHash } = event
  const decisionId = textOf(data.decisionId)
  if (decisionId !== undefined) return { event, decisionIds: [decisionId], dfrId: undefined }
  const requestId = textOf(data.requestId)
  const keys = await resources.tenantKeyring.keysOf(tenantId)
  const dfrId = textOf(data.dfrId) ?? (requestId === undefined ? undefined : dfrIdOf(requestId, keys))
  if (dfrId === undefined || !isDfrId(dfrId)) return { event, decisionIds: [], dfrId: undefined }
  const decisionIds = deviceHash ? await decisionIdsOfReport(tenantId, { dfrId, deviceHash }, resources) : []
  return { event, decisionIds, dfrId }
}

/** Each subject has one label, the one that became known last. */
async function changesOf(
  tenantId: string,
  labelled: readonly Labelled[],
  { decisions, isCounted, labels }: Pick<FoldedPart, 'decisions' | 'isCounted'> & Pick<OfPage, 'labels'>,
  { database }: FoldResources,
): Promise<ChangedLabel[]> {
  const targets = labelled.flatMap(({ event, decisionIds, dfrId }) => {
    const ofDecisions = decisionIds
      .filter(isUuid)
      .map((id) => ({ event, subject: uuidBytes(id), decision: decisions.get(id) }))
    if (decisionIds.length > 0 || dfrId === undefined) return ofDecisions
    return [{ event, subject: Buffer.from(dfrId, 'hex'), decision: undefined }]
  })
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const known = await foldedLabels(
    database,
    tenantId,
    targets.map(({ subject }) => subject),
  )
  const last = new Map(known.map((label) => [hexOf(label.subject), label]))
  const changed: ChangedLabel[] = []
  for (const { event, subject, decision } of targets) {
    const label = event.data.outcome as Label
    const knownAt = Date.parse(textOf(event.data.knownAt) ?? '') || event.at
    const decidedAt = decision?.decidedAt ?? event.at
    const before = labels.get(hexOf(subject)) ?? last.get(hexOf(subject))
    if (!isCounted(event, decidedAt) || (before && before.knownAt > knownAt)) continue
    labels.set(hexOf(subject), { subject, decidedAt, label, knownAt })
    if (before?.label === label) continue
    changed.push({ decision, subjects: decision ?? event, at: event.at, before: before?.label, label })
  }
  return changed
}

/** Where a rebuild begins: the first whole day that the event log still has. */
export function firstWholeDay(now: number, eventDays: number): number {
  const dayMs = 86_400_000
  return Math.floor((now - eventDays * dayMs) / dayMs) * dayMs + dayMs
}
