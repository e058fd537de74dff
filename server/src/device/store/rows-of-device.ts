// Which analyses has a device? Their index begins with the day, so that a new one is stored beside the others of its day.

import type { Queryable } from '../../core/storage/database.ts'

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
     (with recursive day (its) as
        (select min(${day}) from device_analysis where ${day} >= ${since} / 86400000 and ${isListed}
         union all
         select (select min(${day}) from device_analysis where ${day} > its and ${isListed})
           from day where its < ${until} / 86400000)
      select its from day)`

/** The end of the newest day that has a row; -1 without one. */
export async function newestAt(database: Queryable): Promise<number> {
  const [found] = await database.query<{ day: number | null }>(
    `select max(${day}) as day from device_analysis where ${isListed}`,
  )
  return ((found?.day ?? -1) + 1) * 86_400_000 - 1
}
