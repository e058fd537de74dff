// How do many small reads cost PostgreSQL little? Reads of one turn that differ only in their values become one statement.

import { type Row, type SqlValue, StorageUnavailable } from '../database.ts'

/** Reads in one statement; with more, the first would wait too long for the last. */
const largestGroup = 100

/** A read whose caller gives up at least this much before the others of its group is ended alone. */
const differenceMs = 20

interface WaitingRead {
  params: readonly SqlValue[]
  /** When its caller gives up (`performance.now()`). */
  until: number
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

/** Sends one statement. A parameter may be a list. */
type Send = (sql: string, params: readonly (SqlValue | SqlValue[])[], until: number) => Promise<Row[]>

export class PostgresReads {
  readonly #send: Send
  readonly #jointTexts = new Map<string, string>()
  #waiting = new Map<string, WaitingRead[]>()

  constructor(send: Send) {
    this.#send = send
  }

  /** Rows of a reading statement. It is sent at the end of this turn, so the rows are not older than this call. */
  read(sql: string, params: readonly SqlValue[], until: number): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#answer())
      const alike = this.#waiting.get(sql)
      if (alike) alike.push({ params, until, resolve, reject })
      else this.#waiting.set(sql, [{ params, until, resolve, reject }])
    })
  }

  #answer(): void {
    const waiting = this.#waiting
    this.#waiting = new Map()
    for (const [sql, reads] of waiting) {
      for (let from = 0; from < reads.length; from += largestGroup) {
        void this.#answerGroup(sql, reads.slice(from, from + largestGroup))
      }
    }
  }

  async #answerGroup(sql: string, reads: readonly WaitingRead[]): Promise<void> {
    const eachAlone = () => {
      for (const { params, until, resolve, reject } of reads) void this.#send(sql, params, until).then(resolve, reject)
    }
    const lists = reads[0]!.params.map((_, column) => reads.map(({ params }) => params[column]!))
    const types = lists.map(typeOf)
    if (reads.length === 1 || types.length === 0 || types.includes(undefined)) return eachAlone()
    const until = Math.max(...reads.map((read) => read.until))
    const timers = reads.filter((read) => read.until < until - differenceMs).map(endAlone)
    try {
      const rowsOf = reads.map((): Row[] => [])
      for (const { [placeColumn]: place, ...row } of await this.#send(this.#jointText(sql, types), lists, until)) {
        rowsOf[Number(place) - 1]!.push(row)
      }
      for (const [place, { resolve }] of reads.entries()) resolve(rowsOf[place]!)
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) return eachAlone() // the values of one read may have caused it
      for (const { reject } of reads) reject(error)
    } finally {
      for (const timer of timers) clearTimeout(timer)
    }
  }

  #jointText(sql: string, types: readonly unknown[]): string {
    const key = `${types} ${sql}`
    let text = this.#jointTexts.get(key)
    if (text === undefined) {
      text = jointly(sql, types)
      this.#jointTexts.set(key, text)
    }
    return text
  }
}

function endAlone({ until, reject }: WaitingRead): NodeJS.Timeout {
  const late = () => reject(new StorageUnavailable('PostgreSQL: no answer in time', { reason: 'time' }))
  return setTimeout(late, Math.max(0, until - performance.now()))
}

const placeColumn = 'place of the read'

/** The statement with a list for each parameter. Each row has the place of its read in the lists. */
function jointly(sql: string, types: readonly unknown[]): string {
  const lists = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')
  const names = types.map((_, i) => `p${i + 1}`).join(', ')
  return `select wanted.place as "${placeColumn}", answer.*
    from unnest(${lists}) with ordinality as wanted (${names}, place)
    cross join lateral (${sql.replaceAll(/\$(\d+)/g, 'wanted.p$1')}
    ) as answer`
}

/** The PostgreSQL type of these values; undefined when it depends on the statement. */
function typeOf(values: readonly SqlValue[]): string | undefined {
  const types = new Set(values.flatMap((value) => (value === null ? [] : [typeof value])))
  if (types.size !== 1) return undefined
  if (types.has('string')) return 'text'
  if (types.has('object')) return 'bytea'
  return values.every((value) => value === null || Number.isSafeInteger(value)) ? 'bigint' : 'double precision'
}
