// Which visits does a device have, with everything that is still stored of each? For people who investigate.

import type { DeviceReport } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { historySince, storedSince } from '../../device/history/retention.ts'
import type { Compression } from '../../device/store/compression/compression.ts'
import { openRecord } from '../../device/store/record.ts'
import { type VisitPlace, type VisitRow, visitsOfDevice } from '../../device/store/visits-of-device.ts'
import { deviceHashOf } from '../../events/subject-hashes.ts'
import type { AdminNeeds } from '../room.ts'

export interface ReadVisit {
  /** Epoch milliseconds. */
  readonly at: number
  /** 32 hex digits. */
  readonly dfrId: string
  readonly country: string | undefined
  /** Names of the signals that fired. */
  readonly signals: readonly string[]
  /** Absent when it has expired, or what is stored is damaged. */
  readonly content?: VisitContent
}

export interface VisitContent {
  readonly analysis: Analysis
  readonly report: DeviceReport
}

export type Services = Pick<AdminNeeds, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>

/** Newest first. What has expired is not returned, also before it is deleted. */
export async function readVisits(
  { tenantId, deviceId }: { tenantId: string; deviceId: string },
  { limit, before }: { readonly limit: number; readonly before?: VisitPlace | undefined },
  { compression, database, tenantKeyring, clock, settings }: Services,
): Promise<ReadVisit[]> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const device = { tenantId, deviceHash: deviceHashOf(deviceId, keys) }
  const range = { since: historySince(now, settings) - 1, ...(before && { before }) }
  const rows = await visitsOfDevice(database, device, limit, range)
  const contentSince = storedSince(now, settings)
  return rows.map((row): ReadVisit => {
    const dfrId = Buffer.from(row.dfrId).toString('hex')
    const content = row.analysedAt > contentSince ? contentOf(row, { tenantId, dfrId }, keys, compression) : undefined
    return {
      at: row.analysedAt,
      dfrId,
      country: row.country ?? undefined,
      signals: row.signals.split(' ').filter((name) => name !== ''),
      ...(content && { content }),
    }
  })
}

function contentOf(
  { sealed }: VisitRow,
  key: { tenantId: string; dfrId: string },
  keys: TenantKeys,
  compression: Compression,
): VisitContent | undefined {
  if (!sealed) return undefined
  try {
    const { analysis, report } = openRecord({ ...key, sealed }, keys, compression)
    return report && { analysis, report: JSON.parse(report.answer.text) }
  } catch {
    return undefined
  }
}
