// How many durable commits did SQLite make? Its write-ahead log shows them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteFileName } from '../storage/sqlite/sqlite.ts'

/** Frames of the write-ahead log that end a transaction (sqlite.org/fileformat2.html#the_write_ahead_log). */
export async function commitsInLog(folder: string): Promise<number> {
  const log = await readFile(join(folder, `${sqliteFileName}-wal`))
  const frameBytes = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (!log.subarray(at + 8, at + 16).equals(log.subarray(16, 24))) break // a frame of the previous round of the log
    if (log.readUInt32BE(at + 4) !== 0) commits++
  }
  return commits
}
