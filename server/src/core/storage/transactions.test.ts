// Are transactions serialisable, isolated and atomic, on both engines?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { type Database, type Queryable, StorageUnavailable, UniqueViolation } from './database.ts'

async function makeAccounts(database: Database): Promise<Database> {
  await database.query('create table account (id text not null primary key, n bigint not null)')
  await database.query("insert into account (id, n) values ('a', 0), ('b', 0)")
  return database
}

const read = async (from: Queryable, id: string): Promise<number | undefined> =>
  (await from.query<{ n: number }>('select n from account where id = $1', [id]))[0]?.n
const write = (to: Queryable, id: string, n: number) => to.query('update account set n = $1 where id = $2', [n, id])

eachDatabase(({ engine, open }) => {
  test(`returns the result of the work and stores the whole transaction (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const result = await database.transaction(async (tx) => {
      await write(tx, 'a', 1)
      await tx.query('insert into account (id, n) values ($1, $2)', ['c', 3])
      assert.equal(await read(tx, 'c'), 3, 'it sees its own writes')
      assert.equal(await read(tx, 'a'), 1)
      return 'done'
    })
    assert.equal(result, 'done')
    assert.deepEqual([await read(database, 'a'), await read(database, 'c')], [1, 3])
  })

  test(`rolls back and rethrows what the work throws (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const reason = new Error('changed my mind')
    const work = async (tx: Queryable) => {
      await write(tx, 'a', 1)
      throw reason
    }
    await assert.rejects(database.transaction(work), (error) => error === reason)
    assert.equal(await read(database, 'a'), 0)
  })

  test(`shows a transaction only after its commit, and lets no other write in (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const outside: Promise<unknown>[] = []
    const begun = Promise.withResolvers<void>()
    const seen = Promise.withResolvers<void>()
    const transaction = database.transaction(async (tx) => {
      await write(tx, 'a', 1)
      begun.resolve()
      await seen.promise
      await write(tx, 'b', 1)
      throw new Error('rolled back')
    })
    await begun.promise
    outside.push(database.query("insert into account (id, n) values ('other', 1)"))
    assert.equal(await read(database, 'a'), 0)
    seen.resolve()
    await assert.rejects(transaction, /rolled back/)
    await Promise.all(outside)
    assert.deepEqual([await read(database, 'a'), await read(database, 'b'), await read(database, 'other')], [0, 0, 1])
  })

  test(`loses no addition of 20 transactions that read, add and write (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const add = async (tx: Queryable) =>
      write(tx, 'a', ((await read(tx, 'a')) ?? 0) + 1).catch((cause) => {
        throw new Error('a conflict is one also when work makes another error of it', { cause })
      })
    await Promise.all(Array.from({ length: 20 }, () => database.transaction(add)))
    assert.equal(await read(database, 'a'), 20)
  })

  test(`does not commit two transactions that both read the old state (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    // Each may set its account to 1 only while the other one is 0. Two simultaneous snapshots would allow both.
    let attempts = 0
    const bothHaveRead = Promise.withResolvers<void>()
    const take = (own: string, other: string) =>
      database.transaction(async (tx) => {
        const isFree = (await read(tx, other)) === 0
        attempts++
        if (attempts === 2 || engine === 'sqlite') bothHaveRead.resolve() // on SQLite one waits for the end of the other
        await bothHaveRead.promise
        if (isFree) await write(tx, own, 1)
      })
    await Promise.all([take('a', 'b'), take('b', 'a')])
    assert.equal((await read(database, 'a'))! + (await read(database, 'b'))!, 1)
    if (engine === 'postgres') assert.ok(attempts > 2, 'the one that lost ran again')
  })

  test(`ends the transaction at a failing statement, even when the work continues (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const work = async (tx: Queryable) => {
      await write(tx, 'a', 1)
      await tx.query("insert into account (id, n) values ('b', 9)").catch(() => 'never mind')
      await write(tx, 'a', 2).catch(() => 'never mind')
      return 'looks fine'
    }
    await assert.rejects(database.transaction(work), UniqueViolation)
    const notAwaited = async (tx: Queryable) => {
      void tx.query("insert into account (id, n) values ('b', 9)").catch(() => 'never mind')
    }
    await assert.rejects(database.transaction(notAwaited), UniqueViolation)
    assert.equal(await read(database, 'a'), 0)
  })

  test(`throws the error of the work instead of that of the statement (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const work = async (tx: Queryable) => {
      await tx.query("insert into account (id, n) values ('a', 9)").catch(() => {
        throw new Error('there is an account a already')
      })
    }
    await assert.rejects(database.transaction(work), /there is an account a already/)
  })

  test(`runs simultaneous statements one after the other (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    await database.transaction(async (tx) => {
      const add = 'update account set n = n + 1 where id = $1 returning n'
      const answers = await Promise.all(Array.from({ length: 10 }, () => tx.query<{ n: number }>(add, ['a'])))
      assert.deepEqual(
        answers.map(([row]) => row?.n),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      )
    })
  })

  test(`refuses a call that would wait for itself (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const inside = /Inside a transaction/
    await assert.rejects(
      database.transaction(() => write(database, 'a', 1)),
      inside,
    )
    await assert.rejects(
      database.transaction(() => database.transaction(async () => 1)),
      inside,
    )
    let leaked: Queryable | undefined
    await database.transaction(async (tx) => {
      leaked = tx
    })
    await assert.rejects(write(leaked!, 'a', 1), /This transaction is over/)
    assert.equal(await read(database, 'a'), 0)
  })

  test(`rolls back a transaction that takes too long, and continues with others (${engine})`, async (t) => {
    const database = await makeAccounts(await open(t))
    const never = new Promise<never>(() => {})
    const work = async (tx: Queryable) => {
      await write(tx, 'a', 1)
      await never
    }
    const next = Promise.withResolvers<unknown>()
    const late = database.transaction(work, 30)
    next.resolve(write(database, 'b', 5))
    await assert.rejects(late, StorageUnavailable)
    await next.promise
    assert.deepEqual([await read(database, 'a'), await read(database, 'b')], [0, 5])
  })
})
