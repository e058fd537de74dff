// The process that kill-under-writes.ts kills: it writes without end, and lists every acknowledged key.

import { openSync, writeSync } from 'node:fs'
import type { Database } from '../core/storage/database.ts'
import { openDatabase } from '../core/storage/open-database.ts'

export const createKept =
  'create table if not exists kept (round bigint not null, id text not null, primary key (round, id))'
const insert = 'insert into kept (round, id) values ($1, $2)'
const writersAtOnce = 8

if (import.meta.main) {
  const [place = '', round, list = ''] = process.argv.slice(2)
  const database = await openDatabase(place)
  await database.query(createKept)
  const file = openSync(list, 'a') // the operating system keeps what a killed process has written
  let isWriting = false
  const acknowledge = (lines: string) => {
    writeSync(file, lines)
    if (!isWriting) process.stdout.write('writing\n')
    isWriting = true
  }
  const writers = Array.from({ length: writersAtOnce }, (_, i) => writeForEver(database, Number(round), i, acknowledge))
  await Promise.all(writers)
}

/** Every tenth write is a transaction of two rows; the others are grouped with simultaneous writes. */
async function writeForEver(
  database: Database,
  round: number,
  writer: number,
  acknowledge: (lines: string) => void,
): Promise<never> {
  for (let count = 0; ; count++) {
    const id = `${writer}.${count}`
    if (count % 10 < 9) {
      await database.query(insert, [round, id])
      acknowledge(`${id}\n`)
    } else {
      await database.transaction(async (tx) => {
        await tx.query(insert, [round, `${id}/1`])
        await tx.query(insert, [round, `${id}/2`])
      })
      acknowledge(`${id}/1\n${id}/2\n`)
    }
  }
}
