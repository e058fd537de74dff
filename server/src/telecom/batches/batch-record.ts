// What is stored of a batch, sealed? Its head, and in each part the lines and their results.

import type { Consent, Cost, InBodyError, TelecomChecksRequest, TelecomChecksResult } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { digitsOfWritten } from '../../phone/read-number.ts'
import type { PartKey, PartRow } from '../store/batch-parts.ts'
import type { BatchRow } from '../store/batches.ts'

export interface BatchHead {
  /** As they were sent. */
  readonly notation: string
  readonly checks: TelecomChecksRequest['checks']
  /** What each check is made for. */
  readonly consent?: Consent
  /** Beside the phone number. */
  readonly columns: readonly string[]
  readonly requestId: string
  readonly clientId: string
}

/** A line, with short names: a batch has 100,000 of them. */
export interface StoredLine {
  /** Line number. */
  readonly l: number
  /** Phone number as it was sent; absent: the line is broken or was erased. */
  readonly n?: string
  /** Values of the columns. */
  readonly v?: readonly (string | null)[]
  /** The first line with this number: its part, place and line number. */
  readonly d?: readonly [part: number, place: number, line: number]
  /** What is wrong with the line. */
  readonly m?: string
  readonly erased?: true
}

/** The result of a line: checks, or an error. */
export interface StoredResult {
  readonly p?: TelecomChecksResult['phoneDetail']
  readonly c?: TelecomChecksResult['checks']
  readonly e?: InBodyError
  /** Its cost in millionths of the currency. */
  readonly k?: number
  /** Something of it comes from the sandbox. */
  readonly s?: 1
}

export interface Progress {
  readonly done: number
  readonly answered: number
  readonly failed: number
  readonly invalid: number
  readonly duplicates: number
  readonly errors: Readonly<Record<string, number>>
  readonly cost?: Cost
  readonly sandbox?: true
  readonly linesPerSecond?: number
  /** All parts before this one are done. */
  readonly next: number
}

export const noProgress: Progress = { done: 0, answered: 0, failed: 0, invalid: 0, duplicates: 0, errors: {}, next: 0 }

export const progressOf = ({ progress }: Pick<BatchRow, 'progress'>): Progress => ({
  ...noProgress,
  ...JSON.parse(progress),
})

/** Lines in a part. */
export const partLines = 100

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

export const headContext = (tenantId: string, id: Uint8Array) => `telecom_batch ${tenantId} ${text(id)}`
export const linesContext = (tenantId: string, batchId: Uint8Array, part: number) =>
  `telecom_batch_part lines ${tenantId} ${text(batchId)} ${part}`
export const resultsContext = (tenantId: string, batchId: Uint8Array, part: number) =>
  `telecom_batch_part results ${tenantId} ${text(batchId)} ${part}`

export const sealHead = (head: BatchHead, { tenantId, id }: Pick<BatchRow, 'tenantId' | 'id'>, keys: TenantKeys) =>
  keys.seal(JSON.stringify(head), headContext(tenantId, id))

export const openHead = ({ tenantId, id, sealed }: Pick<BatchRow, 'tenantId' | 'id' | 'sealed'>, keys: TenantKeys) =>
  JSON.parse(keys.open(sealed, headContext(tenantId, id))) as BatchHead

export const sealLines = (lines: readonly StoredLine[], { tenantId, batchId, part }: PartKey, keys: TenantKeys) =>
  keys.seal(JSON.stringify(lines), linesContext(tenantId, batchId, part))

export const openLines = ({ tenantId, batchId, part, sealed }: PartKey & Pick<PartRow, 'sealed'>, keys: TenantKeys) =>
  JSON.parse(keys.open(sealed, linesContext(tenantId, batchId, part))) as StoredLine[]

/** Null for a line without a result. */
export type StoredResults = (StoredResult | null)[]

export const sealResults = (results: StoredResults, { tenantId, batchId, part }: PartKey, keys: TenantKeys) =>
  keys.seal(JSON.stringify(results), resultsContext(tenantId, batchId, part))

export const openResults = (
  { tenantId, batchId, part, sealedResult }: PartKey & Pick<PartRow, 'sealedResult'>,
  keys: TenantKeys,
): StoredResults =>
  sealedResult === null
    ? []
    : (JSON.parse(keys.open(sealedResult, resultsContext(tenantId, batchId, part))) as StoredResults)

/** What makes two lines one: the canonical digits or, of a text that is no number, the text. */
export const numberIn = (phoneNumber: string): string => digitsOfWritten(phoneNumber) ?? phoneNumber
