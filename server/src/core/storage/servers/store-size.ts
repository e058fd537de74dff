// How large is the store?

import type { Database } from '../database.ts'

/** Bytes of all tables and indexes; with the embedded engine, of the file without its write-ahead log. */
export async function sizeOfStore(database: Pick<Database, 'engine' | 'query'>): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    database.engine === 'postgres'
      ? 'select pg_database_size(current_database()) as bytes'
      : 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  )
  return Number(row!.bytes)
}
