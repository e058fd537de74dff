import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertFailed, commandLine } from '../testing.ts'

test('imports customers, names wrong lines, and removes who is not in the file', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init'])
  const lines = [
    'id,number,email',
    'w1,+91 70201 41726,ada@shop.example',
    'w2,917020141727,',
    'w3,nonsense,',
    'w4,917020141727,',
  ]
  await writeFile(join(folder, 'customers.csv'), lines.join('\r\n'))
  const first = await run(['users', 'import', 'customers.csv'])
  assert.equal(first.code, 1)
  assert.match(
    first.stdout,
    /^customers\.csv:4: "nonsense", the number, has letters: write digits only\ncustomers\.csv:3: the number is also that of a customer in line 5: it links nobody\nImported 3 customers with 3 numbers and 1 email addresses in \d+\.\d s\.\n3 added, 0 changed, 0 unchanged, 0 removed\.\n1 numbers or email addresses of several customers, which find nobody\.\n$/,
  )
  assert.match(first.stderr, /1 line is wrong and not imported; correct them and import the file again\n$/)
  await writeFile(join(folder, 'new.csv'), 'email;id\nada@shop.example;w1\n')
  const second = await run(['users', 'import', 'new.csv', '--replace', '--json'])
  assert.equal(second.code, 0)
  const { durationMs, ...counts } = JSON.parse(second.stdout)
  assert.ok(durationMs >= 0)
  assert.deepEqual(counts, {
    ...{ customers: 1, numbers: 0, emails: 1, added: 0, changed: 1, unchanged: 0, removed: 2, repeated: 0 },
    ...{ withoutContact: 0, broken: 0, shared: 0, notReplaced: false, mistakes: [], sharedLines: [] },
  })
  assertFailed(await run(['users', 'import', 'none.csv']), /none\.csv cannot be read: it does not exist\n$/)
  await writeFile(join(folder, 'wrong.csv'), 'w1,917020141726\n')
  assertFailed(
    await run(['users', 'import', 'wrong.csv']),
    /wrong\.csv: "w1,917020141726" names no columns that are known/,
  )
  assertFailed(await run(['users', 'import', '.']), /\. is a folder: name a CSV file\n$/)
})

test('shows, merges and unlinks the users of a tenant', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init'])
  await writeFile(join(folder, 'customers.csv'), 'id,number,email\nw1,917020141726,ada@shop.example\n')
  await run(['users', 'import', 'customers.csv'])
  const shown = await run(['users', 'show', 'w1'])
  assert.equal(shown.stdout, 'w1: Imported with 2 numbers and email addresses.\nNobody has signed in as this user.\n')
  const merged = await run(['users', 'merge', 'w1', 'w2'])
  assert.equal(merged.stdout, 'w1 is w2 now: 0 sign-ins and 0 devices moved.\n')
  const contactsOf = async (id: string) =>
    JSON.parse((await run(['users', 'show', id, '--json'])).stdout).importedContacts
  assert.deepEqual([await contactsOf('w1'), await contactsOf('w2')], [0, 2])
  assertFailed(await run(['users', 'merge', 'w2', 'w2']), /./)
  assertFailed(await run(['users', 'unlink', 'w2']), /by one of --number, --email and --person\n$/)
  assertFailed(await run(['users', 'unlink', 'w2', '--email', 'ada@shop.example']), /./)
})

test('an import that is killed is completed by the same command, and leaves no files', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init'])
  const count = 12_000
  const rows = Array.from({ length: count }, (_, i) => `c${i},${917_020_100_000 + i},p${i}@shop.example`)
  await writeFile(join(folder, 'customers.csv'), ['id,number,email', ...rows].join('\n'))
  // In the middle of the contacts: about eight transactions of several statements each.
  const killItself = `
let statements = 0
const { prototype } = (await import('node:worker_threads')).Worker
const post = prototype.postMessage
prototype.postMessage = function (...args) {
  if (++statements === 150) process.kill(process.pid, 'SIGKILL')
  return post.apply(this, args)
}`
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(killItself)}` }
  const killed = await run(['users', 'import', 'customers.csv'], { env })
  assert.notEqual(killed.code, 0)
  assert.equal((await scratchFolders(folder)).length, 1)
  const again = await run(['users', 'import', 'customers.csv', '--json'])
  assert.equal(again.code, 0, again.stderr)
  const { customers, added, unchanged, shared } = JSON.parse(again.stdout)
  assert.deepEqual([customers, added + unchanged, shared], [count, count, 0])
  assert.ok(unchanged > 0, 'some were stored before')
  assert.deepEqual(await scratchFolders(folder), [])
})

const scratchFolders = async (folder: string) =>
  (await readdir(join(folder, 'ringfence-data'))).filter((name) => name.startsWith('customers-import-'))
