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
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { UniqueViolation } from '../../core/storage/database.ts'
import { isSameId, newUuidAt, uuidBytes } from '../../core/storage/uuid.ts'
import type { TelecomNeeds } from '../room.ts'
import {
  acceptBatch,
  type BatchRow,
  beginBatch,
  deleteBatch,
  findBatchByKey,
  type StoredBatches,
} from '../store/batches.ts'
import { refuseWrongDates } from '../telecom-checks.ts'
import { ArrivingParts } from './arriving-parts.ts'
import { shownBatch } from './batch-calls.ts'
import { noProgress, partLines, sealHead } from './batch-record.ts'
import { incomingLines } from './incoming-lines.ts'
import { lineReader } from './read-line.ts'
import { resultColumns } from './result-columns.ts'

/** Of one tenant: each remembers the numbers that have arrived. */
const mostArriving = 2
/** Longer than it takes to store the rest of a body. One that a killed server left counts for this long. */
const storingMs = 30_000
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
  const { caller, lines } = call
  const { clock, tenantKeyring, telecom } = needs
  const consent = consentIn(stated)
  telecom.purposes.admit(caller.tenantId, consent, 'query')
  const checks = checksIn(notation)
  refuseWrongDates(checks, clock.now())
  const format = (Object.keys(batchTypes) as BatchFormat[]).find((name) => batchTypes[name] === lines?.type)
  if (!lines || !format) throw new Refusal('batchTypeUnsupported')
  const keys = await tenantKeyring.keysOf(caller.tenantId)
  const arriving = new ArrivingBatch({ notation, checks, consent, lines, format }, keys, call, needs)
  return (await arriving.repeated()) ?? arriving.created()
}

interface Sent {
  readonly notation: string
  readonly checks: TelecomChecksRequest['checks']
  readonly consent: Consent | undefined
  readonly lines: NonNullable<Call['lines']>
  readonly format: BatchFormat
}

class ArrivingBatch {
  readonly #sent: Sent
  readonly #keys: TenantKeys
  readonly #call: Call
  readonly #needs: TelecomNeeds
  readonly #idempotencyHash: Uint8Array | null
  /** Of the body, as far as it has arrived. */
  readonly #digest = createHash('sha256')

  constructor(sent: Sent, keys: TenantKeys, call: Call, needs: TelecomNeeds) {
    const { idempotencyKey } = call
    this.#sent = sent
    this.#keys = keys
    this.#call = call
    this.#needs = needs
    this.#idempotencyHash = idempotencyKey === undefined ? null : hashOfIdempotencyKey(`batch ${idempotencyKey}`, keys)
  }

  /** The batch of an earlier request with this Idempotency-Key, while it is stored. */
  async repeated(): Promise<Batch | undefined> {
    const { database, clock } = this.#needs
    const before = await this.#withSameKey()
    if (before && before.expiresAt > clock.now()) {
      for await (const bytes of bounded(this.#sent.lines.bytes)) this.#digest.update(bytes)
      return this.#shownAgain(before)
    }
    if (before) await deleteBatch(database, before.tenantId, before.id)
    return undefined
  }

  async created(): Promise<Batch> {
    const { database, log } = this.#needs
    const key = await this.#reserved()
    try {
      return await this.#stored(key)
    } catch (error) {
      await deleteBatch(database, key.tenantId, key.id).catch((failure) =>
        log.warn(
          { err: failure, requestId: this.#call.requestId },
          'cannot delete a batch that did not arrive; it expires',
        ),
      )
      // The same request arrived at the same time, and was first.
      const first = error instanceof UniqueViolation ? await this.#withSameKey() : undefined
      if (!first) throw error
      return this.#shownAgain(first)
    }
  }

  /** Room for as many lines as it may have. Refuses with `batchesLimited`. */
  async #reserved(): Promise<Pick<BatchRow, 'tenantId' | 'id'>> {
    const { database, clock, settings } = this.#needs
    const id = uuidBytes(newUuidAt(clock.now()))
    const key = { tenantId: this.#call.caller.tenantId, id }
    const begun = clock.now()
    const expiresAt = begun + settings.requestTimeoutMs + storingMs
    const row = { ...key, createdAt: begun, expiresAt, lines: batchLimits.lines, sealed: this.#sealedHead(key, []) }
    const mistakeIn = (stored: StoredBatches) => tooMany(stored, settings.batchLinesPerTenant)
    const stored = await beginBatch(database, row, (stored) => mistakeIn(stored) === undefined)
    const mistake = mistakeIn(stored)
    if (mistake !== undefined) throw new Refusal('batchesLimited', { mistake })
    return key
  }

  async #stored(key: Pick<BatchRow, 'tenantId' | 'id'>): Promise<Batch> {
    const { database, clock, settings } = this.#needs
    const { checks, format } = this.#sent
    const reader = lineReader(format, new Set(resultColumns(checks)))
    const stored = new ArrivingParts({ tenantId: key.tenantId, batchId: key.id }, this.#keys, database)
    for await (const arrived of incomingLines(this.#hashed())) {
      for (const incoming of arrived) {
        const read = reader.read(incoming)
        if (read !== undefined) stored.add(incoming.line, read)
      }
      await stored.writeFull()
    }
    await stored.writeRest()
    const { total, parts } = stored
    if (total === 0) throw new Refusal('batchInvalid', { mistake: 'it has no lines with a phone number' })
    const now = clock.now()
    const row = {
      ...key,
      bodyHash: this.#bodyHash(),
      ...{ state: 'waiting' as const, createdAt: now, completedAt: null, claim: null },
      ...{ expiresAt: now + settings.batchRetentionSeconds * 1000, lines: total, parts },
      progress: JSON.stringify(noProgress),
      sealed: this.#sealedHead(key, reader.columns),
    }
    if (!(await acceptBatch(database, { ...row, idempotencyHash: this.#idempotencyHash }))) {
      throw new Refusal('batchInvalid', { mistake: 'it arrived too slowly' })
    }
    return shownBatch(row, this.#keys)
  }

  async *#hashed(): AsyncGenerator<Uint8Array> {
    for await (const bytes of this.#sent.lines.bytes) {
      this.#digest.update(bytes)
      yield bytes
    }
  }

  #sealedHead(key: Pick<BatchRow, 'tenantId' | 'id'>, columns: readonly string[]): Uint8Array {
    const { notation, checks, consent } = this.#sent
    const { requestId, caller } = this.#call
    const { clientId } = caller
    const head = { notation, checks, ...(consent && { consent }), columns, requestId, clientId }
    return sealHead(head, key, this.#keys)
  }

  /** Once the whole body has arrived. */
  #bodyHash(): Uint8Array {
    const { lines, notation, consent } = this.#sent
    const digest = this.#digest.copy().digest('hex')
    return this.#keys.hash(`batch ${lines.type} ${notation} ${digest}${consent ? ` ${JSON.stringify(consent)}` : ''}`)
  }

  async #withSameKey(): Promise<BatchRow | undefined> {
    const hash = this.#idempotencyHash
    return hash ? findBatchByKey(this.#needs.database, this.#call.caller.tenantId, hash) : undefined
  }

  #shownAgain(row: BatchRow): Batch {
    if (!isSameId(row.bodyHash, this.#bodyHash()))
      throw new Refusal('idempotencyKeyReused', { mistake: 'body, checks, purpose or content type' })
    return shownBatch(row, this.#keys)
  }
}

/** Why the tenant may not send another one now. */
function tooMany({ batches, lines, receiving }: StoredBatches, mostLines: number): string | undefined {
  if (receiving >= mostArriving) return `${mostArriving} are arriving now; send this one when they have arrived`
  // One with few lines has a row too.
  if (lines + batches * partLines < mostLines) return undefined
  return receiving > 0
    ? 'the one that arrives now may need all lines that may still be stored; send this one when it has arrived'
    : `their ${lines} lines are as many as may be stored; wait until some expire, or raise BATCH_LINES_PER_TENANT`
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
