// Which analyses has a device? Their index begins with the day, so that a new one is stored beside the others of its day.

import type { Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'

/** Days since 1970: the first column of device_analysis_by_device. */
const day = '(analysed_at / 86400000)'
/** Only those are in that index. */
const isListed = 'device_hash is not null'

/** Where the values of the condition are, such as `$1`. */
interface Places {
  readonly tenant?: string
  /** Epoch milliseconds. */
  readonly since?: string
  readonly until?: string
}

/**
 * Condition on rows of `device_analysis`: those of the device with this hash, from one time to another. Each day that has rows is looked
 * into, by one read of the index. `is true` keeps SQLite from reading all rows of the tenant by the primary key.
 */
export const isOfDevice = (hash: string, { tenant, since = '0', until = '9000000000000000' }: Places = {}): string =>
  `device_hash = ${hash} ${tenant ? `and (tenant_hash = ${tenant}) is true` : ''} and ${day} in
     (${daysWithRows({ since, until })}
      select its from day)`

const daysWithRows = ({ since, until }: Pick<Required<Places>, 'since' | 'until'>) =>
  `with recursive day (its) as
     (select min(${day}) from device_analysis where ${day} >= ${since} / 86400000 and ${isListed}
      union all
      select (select min(${day}) from device_analysis where ${day} > its and ${isListed})
        from day where its < ${until} / 86400000)`

/** Where a page begins: after this row of its day. */
interface RowPlace {
  readonly analysedAt: number
  /** 16 bytes. */
  readonly dfrId: Uint8Array
}

const rowsOfPage = 100

/** The `dfrId` of each analysis of a device. A page reads its own rows only, however many the device has: those of one day are in order. */
export async function* rowsOfDevice(
  database: Queryable,
  { tenantId, deviceHash }: { tenantId: string; deviceHash: Uint8Array },
): AsyncGenerator<Uint8Array> {
  const days = await database.query<{ its: number }>(
    `${daysWithRows({ since: '0', until: '9000000000000000' })}
     select its from day where exists (select 1 from device_analysis where ${day} = its and device_hash = $1) order by its`,
    [deviceHash],
  )
  for (const { its } of days) {
    for (let after: RowPlace = { analysedAt: -1, dfrId: new Uint8Array(0) }; ; ) {
      const rows = await database.query<RowPlace & Record<string, never>>(
        `select dfr_id as "dfrId", analysed_at as "analysedAt" from device_analysis
          where ${day} = $1 and device_hash = $2 and (tenant_hash = $3) is true and (analysed_at, dfr_id) > ($4, $5)
          order by analysed_at, dfr_id limit ${rowsOfPage}`,
        [its, deviceHash, tenantHash(tenantId), after.analysedAt, after.dfrId],
      )
      for (const { dfrId } of rows) yield dfrId
      if (rows.length < rowsOfPage) break
      after = rows.at(-1)!
    }
  }
}

/** The end of the newest day that has a row; -1 without one. */
export async function newestAt(database: Queryable): Promise<number> {
  const [found] = await database.query<{ day: number | null }>(
    `select max(${day}) as day from device_analysis where ${isListed}`,
  )
  return ((found?.day ?? -1) + 1) * 86_400_000 - 1
}
