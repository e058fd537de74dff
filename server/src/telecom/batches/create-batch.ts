// POST /v1/telecom/batches: the lines of a body become a batch. Its parts are stored as they arrive.

import { createHash } from 'node:crypto'
import {
  type Batch,
  type BatchFormat,
  batchLimits,
  batchTypes,
  CheckNotationError,
  type Consent,
  type CreateBatchRequest,
  readChecks,
  TelecomChecksRequest,
} from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { hashOfIdempotencyKey } from '../../clients/idempotency-key.ts'
import { firstMistake } from '../../core/config/schema-errors.ts'
import { Refusal } from '../../core/errors.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { type BatchStatement, UniqueViolation } from '../../core/storage/database.ts'
import { isSameId, newUuidAt, uuidBytes } from '../../core/storage/uuid.ts'
import type { TelecomNeeds } from '../room.ts'
import { partInsert } from '../store/batch-parts.ts'
import { acceptBatch, beginBatch, deleteBatch, findBatchByKey, type StoredBatches } from '../store/batches.ts'
import { refuseWrongDates } from '../telecom-checks.ts'
import { shownBatch } from './batch-calls.ts'
import { noProgress, numberIn, partLines, type StoredLine, sealHead, sealLines } from './batch-record.ts'
import { incomingLines } from './incoming-lines.ts'
import { lineReader } from './read-line.ts'
import { resultColumns } from './result-columns.ts'

/** Of one tenant: each remembers the numbers that have arrived. */
const mostArriving = 2
/** Longer than it takes to store the rest of a body. One that a killed server left counts for this long. */
const storingMs = 30_000
/** Parts in one commit. */
const partsAtOnce = 10

const ofChecks = TelecomChecksRequest.properties.checks
const checksSchema = compileOnUse(ofChecks)

/**
 * Refuses with `fieldInvalid`, `consentRequired`, `consentNotAllowed`, `batchTypeUnsupported`, `batchInvalid`, `batchesLimited`,
 * `bodyTooLarge` and `idempotencyKeyReused`.
 */
export async function createBatch(
  { checks: notation, ...stated }: CreateBatchRequest,
  call: Call,
  needs: TelecomNeeds,
): Promise<Batch> {
  const { caller, lines, idempotencyKey, requestId } = call
  const { tenantId, clientId } = caller
  const { database, clock, settings, tenantKeyring, telecom } = needs
  const consent = consentIn(stated)
  telecom.purposes.admit(tenantId, consent, 'query')
  const checks = checksIn(notation)
  refuseWrongDates(checks, clock.now())
  const format = (Object.keys(batchTypes) as BatchFormat[]).find((name) => batchTypes[name] === lines?.type)
  if (!lines || !format) throw new Refusal('batchTypeUnsupported')
  const keys = await tenantKeyring.keysOf(tenantId)
  const idempotencyHash = idempotencyKey === undefined ? null : hashOfIdempotencyKey(`batch ${idempotencyKey}`, keys)
  const sent = createHash('sha256')

  const before = idempotencyHash && (await findBatchByKey(database, tenantId, idempotencyHash))
  if (before && before.expiresAt > clock.now()) {
    for await (const bytes of bounded(lines.bytes)) sent.update(bytes)
    return repeated(before)
  }
  if (before) await deleteBatch(database, tenantId, before.id)
  const id = uuidBytes(newUuidAt(clock.now()))
  const head = { notation, checks, ...(consent && { consent }), columns: [] as readonly string[], requestId, clientId }
  const key = { tenantId, id }
  const begun = clock.now()
  const ends = begun + settings.requestTimeoutMs + storingMs
  const reserved = { createdAt: begun, expiresAt: ends, lines: batchLimits.lines, sealed: sealHead(head, key, keys) }
  const stored = await beginBatch(database, { ...key, ...reserved }, (stored) => tooMany(stored) === undefined)
  const mistake = tooMany(stored)
  if (mistake !== undefined) throw new Refusal('batchesLimited', { mistake })
  try {
    const reader = lineReader(format, new Set(resultColumns(checks)))
    const { total, parts } = await storeLines()
    if (total === 0) throw new Refusal('batchInvalid', { mistake: 'it has no lines with a phone number' })
    const now = clock.now()
    const row = {
      ...key,
      bodyHash: bodyHash(),
      ...{ state: 'waiting' as const, createdAt: now, completedAt: null, claim: null },
      ...{ expiresAt: now + settings.batchRetentionSeconds * 1000, lines: total, parts },
      progress: JSON.stringify(noProgress),
      sealed: sealHead({ ...head, columns: reader.columns }, key, keys),
    }
    if (!(await acceptBatch(database, { ...row, idempotencyHash }))) {
      throw new Refusal('batchInvalid', { mistake: 'it arrived too slowly' })
    }
    return shownBatch(row, keys)

    async function storeLines() {
      /** Of each number, where it was first: part, place, line. */
      const first = new Map<string, readonly [number, number, number]>()
      let lines: StoredLine[] = []
      let statements: BatchStatement[] = []
      let [parts, total] = [0, 0]
      const closePart = () => {
        if (lines.length === 0) return
        const part = { tenantId, batchId: id, part: parts++ }
        statements.push(partInsert(part, { firstLine: lines[0]!.l, sealed: sealLines(lines, part, keys) }))
        lines = []
      }
      const write = async () => {
        await database.batch(statements)
        statements = []
      }
      for await (const arrived of incomingLines(hashed())) {
        for (const incoming of arrived) {
          const read = reader.read(incoming)
          if (read === undefined) continue
          if (++total > batchLimits.lines) {
            throw new Refusal('batchInvalid', {
              mistake: `it has more than ${batchLimits.lines} lines; send several batches`,
            })
          }
          lines.push(storedLine(incoming.line, read, [parts, lines.length, incoming.line]))
          if (lines.length === partLines) closePart()
        }
        if (statements.length >= partsAtOnce) await write()
      }
      closePart()
      if (statements.length > 0) await write()
      return { total, parts }

      function storedLine(
        l: number,
        read: Exclude<ReturnType<typeof reader.read>, undefined>,
        here: readonly [number, number, number],
      ): StoredLine {
        if (typeof read === 'string') return { l, m: read }
        const digits = numberIn(read.phoneNumber)
        const d = first.get(digits)
        if (!d) first.set(digits, here)
        return {
          ...{ l, n: read.phoneNumber },
          ...(read.values.length > 0 && { v: read.values }),
          ...(d && { d }),
        }
      }
    }
  } catch (error) {
    await deleteBatch(database, tenantId, id).catch((failure) =>
      needs.log.warn({ err: failure, requestId }, 'cannot delete a batch that did not arrive; it expires'),
    )
    if (!(error instanceof UniqueViolation) || !idempotencyHash) throw error
    // The same request arrived at the same time, and was first.
    const first = await findBatchByKey(database, tenantId, idempotencyHash)
    if (!first) throw error
    return repeated(first)
  }

  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const bytes of lines!.bytes) {
      sent.update(bytes)
      yield bytes
    }
  }

  /** Once the whole body has arrived. */
  function bodyHash(): Uint8Array {
    const digest = sent.copy().digest('hex')
    return keys.hash(`batch ${lines!.type} ${notation} ${digest}${consent ? ` ${JSON.stringify(consent)}` : ''}`)
  }

  function repeated(row: NonNullable<Awaited<ReturnType<typeof findBatchByKey>>>): Batch {
    const hash = bodyHash()
    if (!isSameId(row.bodyHash, hash))
      throw new Refusal('idempotencyKeyReused', { mistake: 'body, checks, purpose or content type' })
    return shownBatch(row, keys)
  }

  function tooMany({ batches, lines, receiving }: StoredBatches): string | undefined {
    if (receiving >= mostArriving) return `${mostArriving} are arriving now; send this one when they have arrived`
    // One with few lines has a row too.
    if (lines + batches * partLines < settings.batchLinesPerTenant) return undefined
    return receiving > 0
      ? 'the one that arrives now may need all lines that may still be stored; send this one when it has arrived'
      : `their ${lines} lines are as many as may be stored; wait until some expire, or raise BATCH_LINES_PER_TENANT`
  }
}

/** Its members are in this order. Refuses with `fieldInvalid`. */
function consentIn({ purpose, legalBasis, reference }: Omit<CreateBatchRequest, 'checks'>): Consent | undefined {
  if (purpose !== undefined) {
    return { purpose, ...(legalBasis && { legalBasis }), ...(reference !== undefined && { reference }) }
  }
  if (legalBasis === undefined && reference === undefined) return undefined
  throw new Refusal('fieldInvalid', { mistake: 'purpose is missing: legalBasis and reference belong to it' })
}

/** Refuses with `fieldInvalid`. */
function checksIn(notation: string): TelecomChecksRequest['checks'] {
  try {
    const checks = readChecks(notation)
    if (checksSchema.Check(checks)) return checks as TelecomChecksRequest['checks']
    throw new CheckNotationError(firstMistake(ofChecks, checks, { at: 'checks' }) ?? 'checks is wrong')
  } catch (error) {
    if (!(error instanceof CheckNotationError)) throw error
    throw new Refusal('fieldInvalid', { mistake: error.message, cause: error })
  }
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > batchLimits.bytes) throw new Refusal('bodyTooLarge', { limitBytes: batchLimits.bytes })
    yield chunk
  }
}
