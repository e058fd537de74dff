// /admin/v1/audit…: the audit log of the tenant.

import type {
  AuditLine,
  AuditPage,
  AuditSlice,
  ExportAuditRequest,
  ListAuditRequest,
  VerifiedAudit,
  VerifyAuditRequest,
} from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { Actor } from '../actor.ts'
import { openAuditLine, verifySlice } from '../audit/chain.ts'
import type { ActorCall } from '../call.ts'
import { maskedSent } from '../masking/mask-sent.ts'
import type { AdminNeeds } from '../room.ts'
import { type AuditFilter, type AuditLineRow, auditLinesAfter, findAuditLines } from '../store/audit-lines.ts'
import { isoTime } from './iso-time.ts'

/** A filter that fits no line reads so many, and then asks for the next page. */
const mostScanned = 5000
const sliceLines = 500

export async function adminListAudit(
  { actor, action, from, to, limit = 50, cursor }: ListAuditRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<AuditPage> {
  const { tenantId } = call.actor
  const filter = { tenantId, actor, action, from: timeOf('from', from), to: timeOf('to', to) }
  const { rows, keys, next } = await auditPage(filter, { limit, cursor }, needs)
  return { lines: rows.map((row) => shown(row, keys, call.actor)), ...(next !== undefined && { next }) }
}

/** Newest first, below the number that `cursor` is. With the keys of the tenant, to open them. */
export async function auditPage(
  filter: Omit<AuditFilter, 'before' | 'after'>,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  { database, tenantKeyring }: AdminNeeds,
): Promise<{ rows: AuditLineRow[]; keys: TenantKeys; next: string | undefined }> {
  const { tenantId } = filter
  const keys = await tenantKeyring.keysOf(tenantId)
  const [newest] = await findAuditLines(database, { tenantId, before: Number.MAX_SAFE_INTEGER }, 1)
  if (!newest) return { rows: [], keys, next: undefined }
  const before = Math.min(cursor === undefined ? newest.number + 1 : Number(cursor), newest.number + 1)
  const after = Math.max(0, before - 1 - mostScanned)
  const rows = await findAuditLines(database, { ...filter, before, after }, limit)
  const next = rows.length === limit ? rows.at(-1)!.number : after + 1
  return { rows, keys, next: next > 1 ? String(next) : undefined }
}

export async function adminExportAudit(
  { after = 0, limit = sliceLines }: ExportAuditRequest,
  { actor }: ActorCall,
  { database, tenantKeyring, heavyWork: { slices } }: AdminNeeds,
): Promise<AuditSlice> {
  const { tenantId } = actor
  const keys = await tenantKeyring.keysOf(tenantId)
  return slices.during(tenantId, async (pause) => {
    const rows = await auditLinesAfter(database, { tenantId, after, limit })
    const lines: AuditLine[] = []
    for (const row of rows) {
      lines.push(shown(row, keys, actor))
      await pause()
    }
    return { lines, ...(rows.length === limit && { next: rows.at(-1)!.number }) }
  })
}

export async function adminVerifyAudit(
  { after = 0, head }: VerifyAuditRequest,
  { actor: { tenantId } }: ActorCall,
  { database, tenantKeyring, heavyWork: { slices } }: AdminNeeds,
): Promise<VerifiedAudit> {
  if (after > 0 && head === undefined)
    throw new Refusal('fieldInvalid', { mistake: 'head is missing: send the hash of the line `after`' })
  const start = { lines: after, head: head === undefined ? undefined : Buffer.from(head, 'hex') }
  const keys = await tenantKeyring.keysOf(tenantId)
  return slices.during(tenantId, (pause) => verifySlice(database, tenantId, keys, start, { limit: sliceLines, pause }))
}

function shown(row: AuditLineRow, keys: TenantKeys, { permissions }: Pick<Actor, 'permissions'>): AuditLine {
  const { number, at, actor, action, details: all, erased } = openAuditLine(row, keys)
  const isMasked = all.sent !== undefined && !permissions.has('personalData.read')
  const details = isMasked ? { ...all, sent: maskedSent(all.sent) } : all
  const hash = Buffer.from(row.hash).toString('hex')
  return { number, at: isoTime(at), actor, action, ...(Object.keys(details).length > 0 && { details }), erased, hash }
}

function timeOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new Refusal('fieldInvalid', { mistake: `${field} is no time` })
  return at
}
