// What did rules know about a previous session? A stored report or decision for a backtest, read from the database or from a file.

import { DeviceReport } from '@ringfence/contract'
import Type from 'typebox'
import { firstMistake } from '../../core/config/schema-errors.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { type Label, labelNames } from '../../device/history/label.ts'
import { paths } from '../language/paths.ts'
import { RuleInput } from '../language/vocabulary.ts'

/** Of a device report, with `requestId`, or of a decision, with `decisionId`. */
export interface StoredReport {
  requestId?: string
  dfrId?: string
  decisionId?: string
  /** When it was made, epoch milliseconds. */
  at?: number
  /** The input of the rules. */
  input: RuleInput
  /** How it turned out, where this is known beside the report. */
  outcome?: Label
}

/** The id by which a person finds the report. */
export const idOf = ({ requestId, decisionId }: StoredReport): string => decisionId ?? requestId ?? ''

const ReportId = Type.String({ minLength: 1, maxLength: 64 })

/** A line of a file of reports, in the form with `input`. */
const ReportLine = Type.Object(
  {
    requestId: Type.Optional(ReportId),
    dfrId: Type.Optional(ReportId),
    decisionId: Type.Optional(ReportId),
    at: Type.Optional(Type.Integer({ description: 'epoch milliseconds' })),
    input: RuleInput,
    outcome: Type.Optional(Type.Enum(labelNames)),
  },
  { additionalProperties: false },
)
const line = compileOnUse(ReportLine)
const input = compileOnUse(RuleInput)

/** Defaults of unknown fields (specification 2.6). Those of flags and scores look like real values, so they count as known. */
const isDefault = (value: unknown) => value === '' || value === -1

/**
 * What rules read of a report in the form of the API (specification 2.6), without its defaults. Signals, velocity, telecom results
 * and params are absent, as the report does not contain them.
 */
export function inputOfReport(report: Readonly<Record<string, unknown>>): RuleInput {
  const found: Record<string, unknown> = {}
  for (const { path } of paths) {
    const [part = '', field] = path.split('.')
    // Paths of decisions have no field in a report, even where it has one of the same name.
    if (!Object.hasOwn(DeviceReport.properties, part)) continue
    const value = report[part]
    if (field === undefined) {
      if (value !== undefined && !isDefault(value)) found[part] = value
    } else if (isObject(value) && Object.hasOwn(value, field) && !isDefault(value[field])) {
      found[part] = { ...(found[part] as object), [field]: value[field] }
    }
  }
  return found as RuleInput
}

/** Reads a line of a file of reports: a `ReportLine`, or a report in the form of the API. @throws Error that says what is wrong */
export function readReportLine(text: string): StoredReport {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  if (!isObject(value)) throw new Error('is not an object')
  if (Object.hasOwn(value, 'input')) {
    if (line.Check(value)) return withOneId(value)
    throw new Error(firstMistake(ReportLine, value) ?? 'is not a report')
  }
  const { requestId, dfrId } = value
  if (typeof requestId !== 'string' || requestId === '') throw new Error('requestId is missing')
  const read = inputOfReport(value)
  if (Object.keys(read).length === 0) throw new Error('is not a report: it has neither input nor fields of a report')
  if (!input.Check(read)) throw new Error(firstMistake(RuleInput, read) ?? 'is not a report')
  return { requestId, ...(typeof dfrId === 'string' && { dfrId }), input: read }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withOneId(report: StoredReport): StoredReport {
  if ((report.requestId === undefined) === (report.decisionId === undefined)) {
    throw new Error('has the requestId of a device report, or the decisionId of a decision')
  }
  return report
}
