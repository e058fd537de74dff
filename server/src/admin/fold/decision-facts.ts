// What do counts and entities need of a decision? Read from its row after the commit: the decision itself writes nothing for them.

import { type Decision, telecomChecks } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import type { OperatorCall, OperatorCalls } from '../../decisions/parts.ts'
import { openDecision } from '../../decisions/record.ts'
import type { Compression } from '../../device/store/compression/compression.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import { ruleReasonCode } from '../../rules/reasons/deciding.ts'
import { type DecisionToFold, decisionsOfReport, decisionsToFold } from '../store/folded-decisions.ts'

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
  readonly paid: { readonly currency: string; readonly hundredths: number } | undefined
  /** Operators that the decision called. */
  readonly checks: readonly (OperatorCall & {
    readonly check: string
    readonly operator: string
    readonly outcome: CheckOutcome
  })[]
}

export type CheckOutcome = 'answered' | 'timeout' | 'failed'

const stopping: ReadonlySet<string> = new Set(['REVIEW', 'CHALLENGE', 'BLOCK'])
/** Names of rules are chosen by people. */
const longestName = 100
/** Sums stay exact numbers. */
const mostPaid = 1e11

/** Those of these decisions that are stored, by id. One that is damaged is left out. */
export async function decisionFacts(
  tenantId: string,
  decisionIds: readonly string[],
  resources: FoldResources,
): Promise<Map<string, DecisionFacts>> {
  const keys = await resources.tenantKeyring.keysOf(tenantId)
  const rows = await decisionsToFold(resources.database, tenantId, decisionIds)
  return new Map(
    rows.flatMap((row) => {
      const facts = factsOf(row, tenantId, keys, resources)
      return facts ? [[facts.decisionId, facts]] : []
    }),
  )
}

/** The decisions that read a report: usually one. */
export async function decisionIdsOfReport(
  tenantId: string,
  report: { readonly dfrId: string; readonly deviceHash: Uint8Array },
  { database }: FoldResources,
): Promise<string[]> {
  return (await decisionsOfReport(database, tenantId, report)).map(uuidText)
}

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
    const {
      params = {},
      ipDetails,
      login,
    } = input as {
      params?: Record<string, unknown>
      ipDetails?: { country?: string }
      login?: { country?: string }
    }
    return {
      ...{ decisionId, decidedAt, userHash, numberHash, deviceHash, action },
      operation: input.action ?? '',
      app: basis.appId ?? '',
      country: ipDetails?.country ?? login?.country ?? decision.phone?.phoneDetail.country ?? '',
      isStopped: stopping.has(action),
      fired: [...new Set(rules.fired)].map((id) => id.slice(0, longestName)),
      decisive: rules.decisive?.slice(0, longestName),
      reasons: [...new Set(reasons.map(({ code }) => code))].filter((code) => code !== ruleReasonCode),
      challenge: {
        hasFailed: row.challengeFailedAt !== null,
        openUntil:
          row.challengePassedAt === null && row.challengeExpiredAt === null ? basis.challenge?.expiresAt : undefined,
      },
      openReview:
        row.review === 'open' && row.reviewOverdueAt === null ? { dueAt: row.reviewDueAt ?? undefined } : undefined,
      paid: paidOf(params[settings.amountParam], params[settings.currencyParam]),
      checks: checksOf(decision, basis.calls),
    }
  } catch {
    return undefined
  }
}

function paidOf(amount: unknown, currency: unknown): DecisionFacts['paid'] {
  if (typeof amount !== 'number' || !(amount > 0)) return undefined
  const isCode = typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency)
  return { currency: isCode ? currency.toUpperCase() : '', hundredths: Math.round(Math.min(amount, mostPaid) * 100) }
}

const outcomes: Readonly<Record<string, CheckOutcome>> = {
  'operator-timeout': 'timeout',
  deadline: 'timeout',
  'operator-failed': 'failed',
}

/** An answer for which no operator was called was stored before. */
function checksOf({ phone, missing }: Decision, calls: OperatorCalls = {}): DecisionFacts['checks'] {
  const operator = phone?.phoneDetail.operator ?? ''
  return telecomChecks.flatMap((check) => {
    const why = missing.find(({ what }) => what === check)?.why
    const call = calls[check]
    const outcome = why === undefined ? call?.ms !== undefined && 'answered' : outcomes[why]
    return outcome ? [{ operator, ...call, check, outcome }] : []
  })
}
