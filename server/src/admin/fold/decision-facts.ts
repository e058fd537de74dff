// What do counts and entities need of a decision? Read from its event, or from its row: the decision itself writes no row for them.

import type { Decision, EventData, FoundEvent } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { backgroundPause } from '../../core/heavy-work/slices.ts'
import { timeOf } from '../../core/storage/ids/event-id.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import {
  amountOf,
  type CountedCheck,
  type CountedFacts,
  countedFacts,
  longestRuleName,
} from '../../decisions/record/counted-facts.ts'
import { openDecision } from '../../decisions/record/record.ts'
import type { Compression } from '../../device/store/compression/compression.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import { ruleReasonCode } from '../../rules/reasons/deciding.ts'
import {
  type DecisionState,
  type DecisionToFold,
  decisionStates,
  decisionsOfReport,
  decisionsToFold,
} from '../store/folded-decisions.ts'

export type FoldResources = Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings'> & {
  readonly compression: Compression
}

/** Texts are empty where nothing is known. */
export interface Dimensions {
  readonly action: string
  readonly operation: string
  readonly app: string
  /** Of the IP address, else of that of the sign-in, else of the phone number. */
  readonly country: string
}

export interface DecisionFacts extends Dimensions, EventSubjects {
  readonly decisionId: string
  readonly decidedAt: number
  readonly isStopped: boolean
  readonly fired: readonly string[]
  readonly decisive: string | undefined
  readonly reasons: readonly string[]
  /** Of its challenge, as it is now: a fold of the same events again sees the same end. */
  readonly challenge: { readonly hasFailed: boolean; readonly openUntil: number | undefined }
  /** An open review of which nobody has heard that it is overdue, and when its rule wants it resolved. */
  readonly openReview: { readonly dueAt: number | undefined } | undefined
  readonly paid: CountedFacts['paid'] | undefined
  /** Operators that the decision called. */
  readonly checks: readonly CountedCheck[]
}

/** An event, with what only this service reads. */
export type FactsEvent = Pick<FoundEvent, 'type' | 'data'> & EventSubjects & { readonly aside: string | undefined }

const stopping: ReadonlySet<string> = new Set(['REVIEW', 'CHALLENGE', 'BLOCK'])

/** Those of these decisions that are stored, by id. One that is damaged is left out. */
export async function decisionFacts(
  tenantId: string,
  decisionIds: readonly string[],
  resources: FoldResources,
): Promise<Map<string, DecisionFacts>> {
  const keys = await resources.tenantKeyring.keysOf(tenantId)
  const rows = await decisionsToFold(resources.database, tenantId, decisionIds)
  const pause = backgroundPause()
  const found = new Map<string, DecisionFacts>()
  for (const row of rows) {
    const facts = factsOf(row, tenantId, keys, resources)
    if (facts) found.set(facts.decisionId, facts)
    await pause()
  }
  return found
}

/** The decisions that read a report: usually one. */
export async function decisionIdsOfReport(
  tenantId: string,
  report: { readonly dfrId: string; readonly deviceHash: Uint8Array },
  { database }: FoldResources,
): Promise<string[]> {
  return (await decisionsOfReport(database, tenantId, report)).map(uuidText)
}

type Counted = Pick<
  DecisionFacts,
  keyof Dimensions | 'isStopped' | 'fired' | 'decisive' | 'reasons' | 'paid' | 'checks'
>

const countedOf = (
  of: Record<'action' | 'operation', string> & Record<'fired' | 'reasons', readonly string[]>,
  { app = '', country = '', decisive, paid, checks = [] }: CountedFacts,
): Counted => ({
  ...{ action: of.action, operation: of.operation, app, country, decisive, paid, checks },
  isStopped: stopping.has(of.action),
  fired: [...new Set(of.fired)].map((id) => id.slice(0, longestRuleName)),
  reasons: [...new Set(of.reasons)].filter((code) => code !== ruleReasonCode),
})

/** Of decisions that these events made, as far as the events say it. */
export async function factsOfEvents(
  tenantId: string,
  events: readonly FactsEvent[],
  { database, settings }: FoldResources,
): Promise<Map<string, DecisionFacts>> {
  const made = events.flatMap((event) => factsOfEvent(event, settings) ?? [])
  const open = made.filter(({ isDone }) => !isDone).map(({ facts }) => facts.decisionId)
  const states = new Map((await decisionStates(database, tenantId, open)).map((row) => [uuidText(row.id), row]))
  return new Map(
    made.flatMap(({ facts, isDone, challengeUntil }) => {
      const state = states.get(facts.decisionId)
      if (isDone) return [[facts.decisionId, facts]]
      return state ? [[facts.decisionId, { ...facts, ...stateOf(state, challengeUntil) }]] : []
    }),
  )
}

/** `isDone`: nothing becomes of its challenge or review, since it has none. */
function factsOfEvent(
  { type, data, aside, userHash, numberHash, deviceHash }: FactsEvent,
  settings: FoldResources['settings'],
): { facts: DecisionFacts; isDone: boolean; challengeUntil: number | undefined } | undefined {
  if (type !== 'decision.created' || aside === undefined) return undefined
  const counted: CountedFacts = JSON.parse(aside)
  const { decisionId, action, operation = '', reasons, rules } = data as unknown as EventData<'decision.created'>
  if (counted.amountOf !== amountOf(settings)) return undefined
  const { challengeUntil } = counted
  const facts = {
    ...{ decisionId, decidedAt: timeOf(uuidBytes(decisionId)), userHash, numberHash, deviceHash },
    ...countedOf({ action, operation, fired: rules, reasons }, counted),
    ...{ challenge: { hasFailed: false, openUntil: undefined }, openReview: undefined },
  }
  return { facts, isDone: challengeUntil === undefined && action !== 'REVIEW', challengeUntil }
}

const stateOf = (
  row: DecisionState,
  challengeUntil: number | undefined,
): Pick<DecisionFacts, 'challenge' | 'openReview'> => ({
  challenge: {
    hasFailed: row.challengeFailedAt !== null,
    openUntil: row.challengePassedAt === null && row.challengeExpiredAt === null ? challengeUntil : undefined,
  },
  openReview:
    row.review === 'open' && row.reviewOverdueAt === null ? { dueAt: row.reviewDueAt ?? undefined } : undefined,
})

function factsOf(
  row: DecisionToFold,
  tenantId: string,
  keys: TenantKeys,
  { compression, settings }: FoldResources,
): DecisionFacts | undefined {
  const { id, decidedAt, userHash, numberHash, deviceHash, sealed } = row
  const decisionId = uuidText(id)
  try {
    const { answer, input, basis } = openDecision({ tenantId, decisionId, sealed }, keys, compression)
    const decision: Decision = JSON.parse(answer.text)
    const { action, rules, reasons } = decision
    const of = { action, operation: input.action ?? '', fired: rules.fired, reasons: reasons.map(({ code }) => code) }
    return {
      ...{ decisionId, decidedAt, userHash, numberHash, deviceHash },
      ...countedOf(of, countedFacts(decision, input, basis, settings)),
      ...stateOf(row, basis.challenge?.expiresAt),
    }
  } catch {
    return undefined
  }
}
