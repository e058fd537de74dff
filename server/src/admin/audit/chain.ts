// Has the audit log been changed? Each line has a keyed hash of itself and of the hash before it.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { type Pause, withoutPause } from '../../core/heavy-work/slices.ts'
import { type Queryable, StorageUnavailable } from '../../core/storage/database.ts'
import {
  type AuditLineRow,
  auditLinesAfter,
  findAuditHead,
  insertAuditLine,
  lastAuditLine,
  putAuditHead,
} from '../store/audit-lines.ts'

/** What happened, before it has its place in the log. */
export interface NewAuditLine {
  readonly tenantId: string
  readonly at: number
  /** `person:<id>`, `client:<id>` or `command:<user name>`. */
  readonly actor: string
  /** Such as `addListEntries`. */
  readonly action: string
  /** Who and what, in detail: JSON values, without secrets. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface AuditLine extends NewAuditLine {
  /** From 1, without gaps. */
  readonly number: number
  /** Whether personal data in the details was erased. Marks are in its place. */
  readonly erased: boolean
}

export const auditContext = (tenantId: string, number: number): string => `audit line ${tenantId} ${number}`

/** What replaces the details of a line that named somebody who was erased. Only who has the tenant's key can seal it for this line. */
export const sealErased = (
  { tenantId, number }: Pick<AuditLine, 'tenantId' | 'number'>,
  { details, erasure }: { readonly details: AuditLine['details']; readonly erasure: string },
  keys: TenantKeys,
): Uint8Array => {
  const content: ErasedContent = { erased: true, number, erasure, details }
  return keys.seal(JSON.stringify(content), auditContext(tenantId, number))
}

interface ErasedContent {
  readonly erased: true
  readonly number: number
  /** Id of the receipt. */
  readonly erasure: string
  /** What is left of the details. */
  readonly details: AuditLine['details']
}

/** Details as they were appended begin with a salt, which no erased ones have. */
const isErased = (content: { salt?: unknown; erased?: unknown }): content is Partial<ErasedContent> =>
  content.salt === undefined && content.erased === true

/** Appends a line in the transaction of what happened. */
export async function appendAuditLine(
  tx: Queryable,
  { tenantId, at, actor, action, details }: NewAuditLine,
  keys: TenantKeys,
): Promise<void> {
  const last = await lastAuditLine(tx, tenantId)
  const number = (last?.number ?? 0) + 1
  const content = JSON.stringify({ salt: randomBytes(16).toString('base64url'), ...details })
  const line = { tenantId, number, at, actor, action, contentHash: sha256(content) }
  const hash = hashOf(line, last?.hash, keys)
  await insertAuditLine(tx, { ...line, sealed: keys.seal(content, auditContext(tenantId, number)), hash })
  await putAuditHead(tx, { tenantId, number, hash: headHash(number, hash, keys) })
}

/** @throws Error when they were sealed with another key, or moved here from another line */
export function openAuditLine(row: AuditLineRow, keys: TenantKeys): AuditLine {
  const { tenantId, number, at, actor, action } = row
  const line = { tenantId, number, at, actor, action }
  // Somebody removed them by SQL: `verifyAuditLog` says so.
  if (row.sealed === null) return { ...line, details: {}, erased: true }
  const content = JSON.parse(keys.open(row.sealed, auditContext(tenantId, number)))
  if (isErased(content)) return { ...line, details: content.details ?? {}, erased: true }
  const { salt: _, ...details } = content
  return { ...line, details, erased: false }
}

export interface AuditVerification {
  /** Number of the last line that was checked. */
  readonly lines: number
  /** Of them, those of whose details a part was erased. The hash of what they were is still in the chain. */
  readonly erased: number
  /** Hash of the last line, in hex. Whoever has noted it sees later whether lines at the end are missing. */
  readonly head?: string
  /** The first line that is wrong, and why. */
  readonly broken?: { readonly number: number; readonly reason: string }
}

const slice = 500

/** Reads every line of a tenant, and stops at the first one that is missing or was changed. */
export async function verifyAuditLog(
  database: Queryable,
  tenantId: string,
  keys: TenantKeys,
): Promise<AuditVerification> {
  let start: SliceStart = { lines: 0, head: undefined }
  let erased = 0
  for (;;) {
    const { next, ...found } = await verifySlice(database, tenantId, keys, start)
    erased += found.erased
    if (next === undefined) return { ...found, erased }
    start = { lines: next, head: found.head === undefined ? undefined : Buffer.from(found.head, 'hex') }
  }
}

/** The last line before a slice, and its hash. */
export interface SliceStart {
  readonly lines: number
  readonly head: Uint8Array | undefined
}

/** Checks the next `limit` lines. `next` is the number of the last one, when there may be more. */
export async function verifySlice(
  database: Queryable,
  tenantId: string,
  keys: TenantKeys,
  start: SliceStart,
  { limit = slice, pause = withoutPause }: { limit?: number; pause?: Pause } = {},
): Promise<AuditVerification & { next?: number }> {
  let { lines, head: before } = start
  let erased = 0
  const found = () => ({ lines, erased, ...(before && { head: Buffer.from(before).toString('hex') }) })
  const rows = await auditLinesAfter(database, { tenantId, after: lines, limit })
  for (const row of rows) {
    const result = check(row, lines + 1, before, keys)
    if (typeof result === 'object') return { ...found(), broken: { number: lines + 1, reason: result.mistake } }
    before = row.hash
    lines++
    if (result === 'erased') erased++
    await pause()
  }
  if (rows.length === limit) return { ...found(), next: lines }
  const mistake = await mistakeAtEnd(database, tenantId, { lines, head: before }, keys)
  return { ...found(), ...(mistake !== undefined && { broken: { number: lines + 1, reason: mistake } }) }
}

/** What is wrong with the end of the log. A line that came meanwhile is nothing wrong. */
async function mistakeAtEnd(
  database: Queryable,
  tenantId: string,
  { lines, head }: SliceStart,
  keys: TenantKeys,
): Promise<string | undefined> {
  const stored = await findAuditHead(database, tenantId)
  if (!stored) return head && 'whether lines are missing at the end is not known: the record of the end is gone'
  if (head && stored.number === lines)
    return areEqual(stored.hash, headHash(lines, head, keys)) ? undefined : 'the record of the end was changed'
  if (stored.number < lines) return 'the record of the end was changed'
  const [next] = await auditLinesAfter(database, { tenantId, after: lines, limit: 1 })
  return next ? undefined : `it is missing, and all to the last one, ${stored.number}`
}

function check(
  row: AuditLineRow,
  expected: number,
  before: Uint8Array | undefined,
  keys: TenantKeys,
): 'intact' | 'erased' | { readonly mistake: string } {
  if (row.number !== expected) return { mistake: `it is missing; the next one is ${row.number}` }
  if (!areEqual(row.hash, hashOf(row, before, keys))) return { mistake: 'it was changed, or the line before it was' }
  if (row.sealed === null) return { mistake: 'its details were removed, and not by an erasure' }
  try {
    const content = keys.open(row.sealed, auditContext(row.tenantId, row.number))
    if (isErased(JSON.parse(content))) return 'erased'
    return areEqual(row.contentHash, sha256(content)) ? 'intact' : { mistake: 'its details were changed' }
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error
    return { mistake: 'its details cannot be opened' }
  }
}

type HashedFields = Pick<AuditLineRow, 'number' | 'at' | 'actor' | 'action' | 'contentHash'>

/** Keyed: who can write to the database alone cannot make a chain that fits. */
function hashOf(
  { number, at, actor, action, contentHash }: HashedFields,
  before: Uint8Array | undefined,
  keys: TenantKeys,
) {
  const fields = [hexOf(before) ?? '', number, at, actor, action, hexOf(contentHash)]
  return keys.hash(`audit line ${JSON.stringify(fields)}`)
}

const headHash = (number: number, hash: Uint8Array, keys: TenantKeys) =>
  keys.hash(`audit head ${number} ${hexOf(hash)}`)

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')
const areEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && timingSafeEqual(a, b)
