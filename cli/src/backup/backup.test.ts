import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { sqliteFileName } from '@ringfence/server/core/storage/sqlite/sqlite.ts'
import { nextVersion, thisVersion, writeMigrations } from '@ringfence/server/testing/made-up-versions.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { assertFailed, type CommandLine, commandLine, portedNumbers, program, withModule } from '../testing.ts'
import { entryOf, type Header, readArchive, writeArchive } from './archive.ts'
import { env, issued, statusWith } from './testing.ts'
import { withMigrations } from './testing-version.ts'

/** Rows enough that a restore takes a moment. */
function fill(folder: string, rows: number): void {
  const database = new DatabaseSync(join(folder, 'ringfence-data', 'ringfence.sqlite'))
  database.exec(
    `with recursive n(value) as (select 1 union all select value + 1 from n where value < ${rows})
      insert into agent_nonce select randomblob(32), randomblob(4096), value from n`,
  )
  database.close()
}

test('a backup of a running service is restored with its clients and number data, and contains no key unless wanted', async (t) => {
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  const credentials = await issued(cli)
  await writeFile(join(folder, 'ported.csv'), portedNumbers(['31612345678,204-04,2024-03-01,port']))
  assert.equal((await run(['numbers', 'import', 'ported.csv'])).stderr, '')
  const service = await serve([])
  const accepted = await statusWith(service.url, credentials)
  const made = await run(['backup', 'a.age'], { env })
  assert.equal(made.stderr, '')
  assert.match(
    made.stdout,
    /^a\.age: \d+ rows in \d+ tables, verified by restoring them\.\nIt does not contain the master key/,
  )
  assert.equal((await stat(join(folder, 'a.age'))).mode & 0o777, 0o600)
  assert.deepEqual(
    (await readdir(join(folder, 'ringfence-data'))).filter((name) => name.startsWith('backup')),
    [],
  )
  await service.stop('SIGTERM')
  assertFailed(await run(['backup', 'a.age'], { env }), /a\.age exists: name a new file/)

  assertFailed(await run(['restore', 'a.age'], { env }), /ringfence-data is not empty \(.*\): name a new folder/)
  const restored = await run(['restore', 'a.age', '--data', 'again'], { env })
  assert.equal(restored.stderr, '')
  assert.match(
    restored.stdout,
    /^Restored \d+ rows of .* into again\.\nNext: put the master key of that time .*; run npx ringfence doctor --data again\.\n$/,
  )
  const elsewhere = { HOME: join(folder, 'elsewhere') }
  assertFailed(
    await run(['serve', '--port', '0', '--data', 'again'], { env: elsewhere }),
    /the master key of this store/,
  )

  const withKey = await run(['backup', 'b.age', '--with-master-key', '--json'], { env })
  assert.deepEqual(Object(JSON.parse(withKey.stdout)).verified, true)
  assert.equal((await run(['restore', 'b.age', '--data', 'whole'], { env: { ...env, ...elsewhere } })).code, 0)
  const [before, after] = await Promise.all([
    run(['numbers', 'list', '--json']),
    run(['numbers', 'list', '--json', '--data', 'whole']),
  ])
  assert.match(after.stdout, /"nl"/)
  assert.equal(after.stdout, before.stdout)
  const second = await serve(['--data', 'whole'], { create: false, env: elsewhere })
  assert.equal(await statusWith(second.url, credentials), accepted)
  assert.notEqual(accepted, 401)
  assert.equal(await statusWith(second.url, { ...credentials, clientSecret: 'other' }), 401)
})

test('refuses a backup that is cut, changed, of another version, or opened with another passphrase, and writes nothing', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli)
  fill(folder, 200)
  assert.equal((await run(['backup', 'good.age'], { env })).code, 0)
  const { size } = await stat(join(folder, 'good.age'))
  const changed = async (name: string, change: (path: string) => Promise<void>) => {
    await copyFile(join(folder, 'good.age'), join(folder, name))
    await change(join(folder, name))
    return name
  }
  const damaged = [
    await changed('cut.age', (path) => truncate(path, size - 100)),
    await changed('cut-early.age', (path) => truncate(path, 300)),
    await changed('flipped.age', async (path) => {
      const bytes = await readFile(path)
      bytes[size >> 1]! ^= 1
      await writeFile(path, bytes)
    }),
  ]
  for (const file of damaged) {
    assertFailed(await run(['restore', file, '--data', 'new'], { env }), new RegExp(`${file} is damaged or incomplete`))
  }
  const other = { BACKUP_PASSPHRASE: 'another passphrase' }
  assertFailed(
    await run(['restore', 'good.age', '--data', 'new'], { env: other }),
    /passphrase or identity does not open/,
  )
  assertFailed(
    await run(['restore', 'good.age', '--data', 'new']),
    /set BACKUP_PASSPHRASE, or name a file with --passphrase-file/,
  )
  await writeFile(join(folder, 'text'), 'hello')
  assertFailed(await run(['restore', 'text', '--data', 'new'], { env }), /text is not a backup of Ringfence/)
  assertFailed(await run(['backup', 'c.age'], { env: { BACKUP_PASSPHRASE: 'short' } }), /at least 12 characters/)

  const database = new DatabaseSync(join(folder, 'ringfence-data', 'ringfence.sqlite'))
  database.exec("insert into schema_migration values ('9999-later', 'x', 1)")
  database.close()
  assert.equal((await run(['backup', 'later.age'], { env })).code, 0)
  assertFailed(
    await run(['restore', 'later.age', '--data', 'new'], { env }),
    /has migration 9999-later.*restore it with that version/,
  )
  assertFailed(
    await run(['backup', 'nowhere/c.age'], { env }),
    /nowhere does not exist: create that folder, or name another file/,
  )
  assert.equal(existsSync(join(folder, 'new')), false)
  await mkdir(join(folder, 'made'))
  assertFailed(await run(['restore', 'cut.age', '--data', 'made/for/it'], { env }), /cut\.age is damaged/)
  assert.deepEqual(await readdir(join(folder, 'made')), [], 'only what it made itself is removed')
})

test('a backup with the master key has the key that opens the store, also a previous one, and never only another', async (t) => {
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  await issued(cli)
  await run(['backup', 'monday.age'], { env })
  assert.match((await run(['keys', 'rotate', 'master'])).stdout, /replaces/)
  // The restored store still needs the previous key, which is in a file beside the new one.
  assert.equal((await run(['restore', 'monday.age', '--data', 'old'], { env })).code, 0)
  assert.equal((await run(['backup', 'old.age', '--data', 'old', '--with-master-key'], { env })).stderr, '')
  const elsewhere = { HOME: join(folder, 'elsewhere') }
  const restored = await run(['restore', 'old.age', '--data', 'moved'], { env: { ...env, ...elsewhere } })
  assert.equal(restored.code, 0)
  const service = await serve(['--data', 'moved'], { create: false, env: elsewhere })
  await service.stop('SIGTERM')

  const other = { ...env, MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
  assertFailed(
    await run(['backup', 'useless.age', '--with-master-key'], { env: other }),
    /the master key of this store is [0-9a-f]{16}, which MASTER_KEY does not have: name it with MASTER_KEY_FILE/,
  )
})

test('encrypts for a recipient of age, whose identity opens it', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli)
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  await writeFile(join(folder, 'key.txt'), `# a comment\n${identity}\n`)
  const options = ['--recipient', await identityToRecipient(identity)]
  assert.equal((await run(['backup', 'a.age', ...options])).code, 0)
  assert.equal((await run(['restore', 'a.age', '--data', 'new', '--identity', 'key.txt'])).code, 0)
  await writeFile(join(folder, 'other.txt'), `${await generateX25519Identity()}\n`)
  assertFailed(await run(['restore', 'a.age', '--data', 'b', '--identity', 'other.txt']), /does not open a\.age/)
  assertFailed(await run(['backup', 'b.age', '--recipient', 'age1x']), /--recipient age1x is not a recipient of age/)
  if (spawnSync('age', ['--version']).status !== 0)
    return t.diagnostic('age is not installed, so it did not open the file')
  const opened = spawnSync('age', ['--decrypt', '-i', 'key.txt', 'a.age'], { cwd: folder })
  assert.equal(opened.status, 0, String(opened.stderr))
})

test('a restore that is killed leaves no store, and can be repeated', async (t) => {
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  await issued(cli)
  fill(folder, 5_000)
  assert.equal((await run(['backup', 'a.age', '--with-master-key'], { env })).code, 0)
  // This key is asked for before the store is placed, so the restore cannot be over when it is killed.
  const child = spawn(process.execPath, [program, 'restore', 'a.age', '--data', 'new'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env, MASTER_KEY_COMMAND: 'sleep 8' },
  })
  const exit = once(child, 'exit')
  const target = join(folder, 'new')
  await until(
    async () =>
      (await readdir(target, { recursive: true }).catch(() => [])).some((name) => name.endsWith('ringfence.sqlite')),
    (found) => found,
  )
  child.kill('SIGKILL')
  await exit
  assert.ok((await readdir(target)).every((name) => name.startsWith('restore-')))
  assertFailed(await run(['serve', '--port', '0', '--data', 'new']), /new has no data/)
  assert.equal((await run(['restore', 'a.age', '--data', 'new'], { env })).code, 0)
  assert.deepEqual(
    (await readdir(target)).filter((name) => name.startsWith('restore-')),
    [],
  )
  await (await serve(['--data', 'new'], { create: false })).stop('SIGTERM')
})

test('a restore never replaces a store that a server made meanwhile', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli)
  fill(folder, 20_000)
  assert.equal((await run(['backup', 'a.age'], { env })).code, 0)
  const restoring = run(['restore', 'a.age', '--data', 'new'], { env })
  const names = () => readdir(join(folder, 'new')).catch((): string[] => [])
  await until(names, (found) => found.some((name) => name.startsWith('restore-')))
  const store = join(folder, 'new', 'ringfence.sqlite')
  await writeFile(store, 'of a server')
  assertFailed(
    await restoring,
    /ringfence\.sqlite was created while the backup was read: stop what runs with this folder/,
  )
  assert.equal(await readFile(store, 'utf8'), 'of a server')
  assert.deepEqual(await names(), ['ringfence.sqlite'])
})

test('a backup that gets SIGTERM leaves no file behind', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli)
  fill(folder, 20_000)
  const names = async () => [...(await readdir(folder)), ...(await readdir(join(folder, 'ringfence-data')))]
  // From outside, the signal could come when the backup is complete.
  const stopped = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { createWriteStream } = fs
fs.createWriteStream = (path, options) => {
  const stream = createWriteStream(path, options)
  if (path.endsWith('a.age.partial')) stream.once('open', () => process.kill(process.pid, 'SIGTERM'))
  return stream
}
syncBuiltinESMExports()
`
  assert.equal((await run(['backup', 'a.age'], { env: { ...env, ...withModule(stopped) } })).code, 143)
  assert.deepEqual(
    (await names()).filter((name) => /partial|^backup-|a\.age/.test(name)),
    [],
  )
  assert.equal((await run(['backup', 'a.age'], { env })).code, 0)
})

/** Makes a good backup, and then forged ones for its recipient, which anybody can make: `change` is what is wrong with each. */
async function forger({ folder, run }: CommandLine) {
  const { generateX25519Identity, identityToRecipient, Encrypter, Decrypter } = await import('age-encryption')
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  await writeFile(join(folder, 'key.txt'), `${identity}\n`)
  for (const name of ['good.age', 'content']) await rm(join(folder, name), { recursive: true, force: true })
  assert.equal((await run(['backup', 'good.age', '--recipient', recipient])).code, 0)
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const content = join(folder, 'content')
  await mkdir(content)
  const noProgress = () => undefined
  const header = await readArchive(join(folder, 'good.age'), decrypter, content, noProgress, noProgress)
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return async (change: (header: Header, content: string) => Partial<Header> | Promise<Partial<Header>>) => {
    await rm(join(folder, 'forged.age'), { force: true })
    const changed = { ...header, ...(await change(header, content)) }
    await writeArchive(join(folder, 'forged.age'), changed, content, encrypter, noProgress)
  }
}

test('refuses a forged backup before it fills the disk, and one whose header hides the version of its store', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli)
  const restore = (more: string[] = []) =>
    run(['restore', 'forged.age', '--data', 'new', '--identity', 'key.txt', ...more])
  const forge = await forger(cli)
  await forge(({ entries }) => ({ entries: entries.map((entry) => ({ ...entry, bytes: 2 ** 50 })) }))
  assertFailed(await restore(), /needs 1,125,899,907 MB in new, where [\d,]+ MB are free: make room/)
  await forge(() => ({ entries: [] }))
  assertFailed(await restore(), /the backup has no ringfence\.sqlite/)
  const database = new DatabaseSync(join(folder, 'ringfence-data', 'ringfence.sqlite'))
  database.exec("insert into schema_migration values ('9999-later', 'x', 1)")
  await (await forger(cli))(({ migrations }) => ({ migrations: migrations.slice(0, -1) }))
  assertFailed(await restore(), /the header of the backup names other migrations than its store has/)
  assert.equal(existsSync(join(folder, 'new')), false)
  database.exec("delete from schema_migration where name = '9999-later'")
  database.close()
})

/** Changes the text of a table or index, which no statement of SQLite does. */
const rewrite = (name: string, from: string, to: string) =>
  `pragma writable_schema = on; update sqlite_schema set sql = replace(sql, '${from}', '${to}') where name = '${name}'`

const hostileSchemas: readonly (readonly [sql: string, message: RegExp])[] = [
  [
    'create trigger spy after insert on token begin delete from audit_line; end',
    /has the trigger spy, which Ringfence/,
  ],
  ['create view spy as select * from token', /has the view spy, which Ringfence never makes/],
  ['create table spy (n)', /has the table spy, which/],
  ['create virtual table spy using dbstat', /has the table spy, which/],
  ['create index spy on tenant (upper(name))', /has the index spy, which/],
  [
    'drop index ip_label_by_time; create index ip_label_by_time on tenant (id)',
    /has the index ip_label_by_time, which/,
  ],
  ['drop index ip_label_by_time', /the store lacks the index ip_label_by_time of its version/],
  [rewrite('ip_label_by_time', ')', ') where 1'), /the index ip_label_by_time of the store differs/],
  ['alter table tenant add column spy as (upper(name))', /the table tenant of the store differs/],
  [rewrite('tenant', 'name text not null', 'name text not null check (abs(1) = 1)'), /the table tenant of the store/],
  [rewrite('sign_in', 'default 0', 'default 1'), /the table sign_in of the store differs/],
  [rewrite('sign_in', 'default 0', "default ''0 -- ''"), /the table sign_in of the store differs/],
]

test('refuses a store with another schema than its migrations make, by a backup and by a restore', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await issued(cli)
  const forge = await forger(cli)
  const store = join(folder, 'content', sqliteFileName)
  const good = await readFile(store)
  for (const [sql, message] of hostileSchemas) {
    await writeFile(store, good)
    const database = new DatabaseSync(store, { defensive: false })
    database.exec(sql)
    database.close()
    await forge(async ({ entries }, content) => ({
      entries: await Promise.all(entries.map(({ name }) => entryOf(content, name))),
    }))
    assertFailed(await run(['restore', 'forged.age', '--data', 'new', '--identity', 'key.txt']), message)
    assert.equal(existsSync(join(folder, 'new')), false, sql)
  }
  const [sql, message] = hostileSchemas[0]!
  const live = new DatabaseSync(join(folder, 'ringfence-data', sqliteFileName))
  live.exec(sql)
  live.close()
  assertFailed(await run(['backup', 'bad.age'], { env }), message)
})

/** Runs commands of the next version. */
async function nextCommand(folder: string) {
  const migrations = join(folder, 'migrations')
  await mkdir(migrations)
  await writeMigrations(migrations, nextVersion)
  return { env: { ...env, ...withMigrations(migrations) } }
}

test('restores stores that earlier versions made and later ones migrated, whatever the comments of their migrations', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  const data = join(folder, 'ringfence-data')
  await issued(cli)
  for (const name of await readdir(data)) if (name.startsWith(sqliteFileName)) await rm(join(data, name))
  const next = await nextCommand(folder)
  const otherComments = nextVersion.map(({ name, sql }) => ({
    name,
    sql: sql.replaceAll(/--(?! contract).*/g, "-- another version's"),
  }))
  for (const count of [1, nextVersion.length]) {
    const database = await openDatabase(data, { migrations: otherComments.slice(0, count) })
    // The first servers did not have these tables, which each later start makes.
    if (count === 1) for (const name of ['contract', 'index']) await database.query(`drop table schema_${name}`)
    if (count === nextVersion.length) await database.query('analyze')
    await database.close()
    assert.equal((await run(['backup', `${count}.age`], next)).stderr, '')
    const restored = await run(['restore', `${count}.age`, '--data', `of-${count}`], next)
    assert.equal(restored.stderr, '')
    await (await openDatabase(join(folder, `of-${count}`), { migrations: nextVersion })).close()
  }
})

test('restores the backup of an older version, says that the first start migrates it, and it does', async (t) => {
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  const credentials = await issued(cli)
  await rm(join(folder, 'ringfence-data', 'ringfence.sqlite'), { force: true })
  for (const end of ['-wal', '-shm'])
    await rm(join(folder, 'ringfence-data', `ringfence.sqlite${end}`), { force: true })
  const old = await openDatabase(join(folder, 'ringfence-data'), { migrations: thisVersion })
  await old.close()
  assert.equal((await run(['backup', 'old.age'], { env })).code, 0)
  const next = await nextCommand(folder)
  const restored = await run(['restore', 'old.age', '--data', 'new'], next)
  assert.match(restored.stdout, /whose store is older: the first start migrates it/)
  const service = await serve(['--data', 'new'], { ...next, create: false })
  assert.equal(await statusWith(service.url, credentials), 401)
  const database = new DatabaseSync(join(folder, 'new', sqliteFileName), { readOnly: true })
  assert.equal(database.prepare('select count(*) as n from schema_migration').get()?.n, nextVersion.length)
  database.close()
})
