// How do many small reads cost PostgreSQL little? Reads of one turn that differ only in their values become one statement.

import { type Row, type SqlValue, StorageUnavailable } from '../database.ts'

/** Reads in one statement; with more, the first would wait too long for the last. */
const largestGroup = 100

interface WaitingRead {
  params: readonly SqlValue[]
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

/** Sends one statement. A parameter may be a list. */
type Send = (sql: string, params: readonly (SqlValue | SqlValue[])[]) => Promise<Row[]>

export class PostgresReads {
  readonly #send: Send
  readonly #jointTexts = new Map<string, string>()
  #waiting = new Map<string, WaitingRead[]>()

  constructor(send: Send) {
    this.#send = send
  }

  /** Rows of a reading statement. It is sent at the end of this turn, so the rows are not older than this call. */
  read(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#answer())
      const alike = this.#waiting.get(sql)
      if (alike) alike.push({ params, resolve, reject })
      else this.#waiting.set(sql, [{ params, resolve, reject }])
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
      for (const { params, resolve, reject } of reads) void this.#send(sql, params).then(resolve, reject)
    }
    const lists = reads[0]!.params.map((_, column) => reads.map(({ params }) => params[column]!))
    const types = lists.map(typeOf)
    if (reads.length === 1 || types.length === 0 || types.includes(undefined)) return eachAlone()
    try {
      const rowsOf = reads.map((): Row[] => [])
      for (const { [placeColumn]: place, ...row } of await this.#send(this.#jointText(sql, types), lists)) {
        rowsOf[Number(place) - 1]!.push(row)
      }
      for (const [place, { resolve }] of reads.entries()) resolve(rowsOf[place]!)
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) return eachAlone() // the values of one read may have caused it
      for (const { reject } of reads) reject(error)
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
