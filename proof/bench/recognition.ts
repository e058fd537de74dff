// How often is a device split, or merged with another, when storage is cleared? And what does one recognition cost?

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { sqliteFileName } from '../../server/src/core/storage/sqlite/sqlite.ts'
import { answer, type Bench, type Row, row, type Table, tableText, worstOf } from './harness/harness.ts'
import { type Keep, withResources } from './harness/processes.ts'
import type { ByGroup, Group, Outcomes } from './recognition/counts.ts'
import { play } from './recognition/play.ts'

/** `npm run bench -- recognition`: ten thousand and a hundred thousand devices. */
export const recognition: Bench = { name: 'recognition', run: () => measure([10_000, 100_000]) }
/** A million devices; the store is filled directly, without recognition. Takes minutes of CPU. */
export const manyDevices: Bench = { name: 'recognition-1m', onlyByName: true, run: () => measure([1_000_000]) }

const desktops: readonly Group[] = ['Chromium', 'Firefox', 'Safari']

async function measure(sizes: readonly number[]): Promise<Table[]> {
  const tables: Table[] = []
  for (const size of sizes) tables.push(await withResources((keep, folder) => judged(size, keep, folder)))
  // Once: the tables are below each other.
  return tables.map((table, at) => (at === 0 ? { ...table, notes: [note] } : table))
}

const note =
  'A simulated population (docs/recognition.md), which the weights were not fitted to. Each device visits as new, up to three times with its token and then, after half a day to 180 days, with storage cleared. Split: it gets a new id. Merged: it gets the id of another device.'

async function judged(size: number, keep: Keep, folder: string): Promise<Table> {
  const database = keep(await openDatabase(folder))
  const isFilled = size > 200_000
  const file = join(folder, sqliteFileName)
  const played = await play(size, database, isFilled ? file : undefined)
  await database.close()
  const bytes = (await stat(file)).size / size
  const ofEach = desktops.flatMap((group) => errors(`… ${group}`, played.recognised, [group], {}).slice(-1))
  return {
    title: `Recognition, ${size.toLocaleString('en')} devices`,
    rows: [
      ...errors('desktops', played.recognised, desktops, { splits: 2, merges: 0.4 }),
      ...worstOf(ofEach, 0.4),
      ...errors('Android', played.recognised, ['Android'], { splits: 5, merges: 0.4 }),
      ...errors('iPhones', played.recognised, ['iPhone'], { merges: 0.4 }),
      row('recognition by similarity, read only', 'µs of CPU', played.readingMicros, { atMost: 200 }),
      answer('… with its durable writes', 'µs of CPU', [played.recognisingMicros]),
      row('… rows read', 'rows', played.rows, { atMost: 520 }),
      answer('a device', 'bytes on disk', [bytes]),
    ],
  }
}

const perCent = (part: number, whole: number) => [(100 * part) / Math.max(1, whole)]

function errors(
  what: string,
  outcomes: ByGroup<Outcomes>,
  its: readonly Group[],
  goals: { readonly splits?: number; readonly merges?: number },
): Row[] {
  const of = (figure: keyof Outcomes) => its.reduce((sum, group) => sum + outcomes[group][figure], 0)
  const goal = (atMost: number | undefined) => (atMost === undefined ? {} : { goal: { atMost } })
  return [
    {
      what: `${what}: split`,
      unit: '% of returns',
      values: perCent(of('splits'), of('returns')),
      ...goal(goals.splits),
    },
    row(`${what}: … and \`likely\` names it`, '% of returns', perCent(of('doubts'), of('returns'))),
    {
      what: `${what}: merged`,
      unit: '% of visits',
      values: perCent(of('merges'), of('visits')),
      ...goal(goals.merges),
    },
  ]
}

if (import.meta.main) {
  for (const table of await measure(process.argv.slice(2).map(Number))) console.log(tableText(table))
}
