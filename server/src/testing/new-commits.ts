// How many durable commits did SQLite make? Its write-ahead log shows them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteFileName } from '../core/storage/sqlite/sqlite.ts'

/**
 * Returns a function that counts the commits since it was called last: frames of the write-ahead log that end a transaction
 * (sqlite.org/fileformat2.html#the_write_ahead_log). The log may begin again in between, as after a pause on a busy machine.
 */
export async function newCommits(folder: string): Promise<() => Promise<number>> {
  let before = await commitsInLog(folder)
  return async () => {
    const now = await commitsInLog(folder)
    const isSameRound = now.salt === before.salt
    const count = isSameRound ? now.commits - before.commits : now.commits
    before = now
    return count
  }
}

async function commitsInLog(folder: string): Promise<{ salt: string; commits: number }> {
  const log = await readFile(join(folder, `${sqliteFileName}-wal`))
  const frameBytes = 24 + log.readUInt32BE(8)
  const salt = log.toString('hex', 16, 24)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    if (log.toString('hex', at + 8, at + 16) !== salt) break // a frame of the previous round of the log
    if (log.readUInt32BE(at + 4) !== 0) commits++
  }
  return { salt, commits }
}
