import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertFailed, commandLine, withModule } from '../testing.ts'
import { userName } from '../user-name.ts'

const rulesFile = `rules:
  - id: stolen
    name: Stolen card
    when: inList("stolen-cards", params.card)
    action: BLOCK
    score: 60
    cases:
      - fires: { params.card: c1, lists.stolen-cards: c1 }
      - silent: { params.card: c2, lists.stolen-cards: c1 }
`

test('a list is created, filled, shown, looked up, emptied and deleted', async (t) => {
  const { run, folder } = await commandLine(t)
  await run(['init'])
  const lists = (...args: string[]) => run(['lists', ...args])
  assert.match((await lists('show')).stdout, /^There is no list\. Create one/)
  const created = await lists('create', 'stolen-cards', '--kind', 'text', '--purpose', 'block', '--by', 'ada')
  assert.equal(created.stdout, 'Created stolen-cards. In a rule: inList("stolen-cards", PATH)\n', created.stderr)
  const again = await lists('create', 'stolen-cards', '--kind', 'text', '--purpose', 'block')
  assert.match(again.stdout, /^There is already stolen-cards\./, 'pasted twice')
  assertFailed(await lists('create', 'stolen-cards', '--kind', 'text', '--purpose', 'watch'), /there is a list stolen-/)
  assertFailed(await lists('create', 'b', '--kind', 'iban', '--purpose', 'block'), /It must be one of phoneNumber/, 2)
  const add = ['add', 'stolen-cards', 'c1', 'c2', '--note', 'from the bank', '--expires', '90d', '--by', 'ada']
  assert.equal((await lists(...add)).stdout, 'stolen-cards: 2 added, 0 changed, 0 unchanged.\n')
  assertFailed(await lists('add', 'stolencards', 'c1'), /there is no list stolencards; did you mean stolen-cards\?/)
  const tooLong = 'x'.repeat(300)
  assertFailed(await lists('add', 'stolen-cards', 'c3', tooLong), /"x{64}": .*; nothing was added/)
  const [shown, asJson, found, none] = await Promise.all([
    lists('show', 'stolen-cards'),
    lists('show', 'stolen-cards', '--json'),
    lists('lookup', 'stolen-cards', 'c1'),
    lists('lookup', 'stolen-cards', 'c3'),
  ])
  assert.match(
    shown.stdout,
    /^LIST .*\nstolen-cards +text +block +2 +.* UTC\n\nVALUE .*\nc[12] +.* ada +2\d{3}-.* from the bank\n/,
  )
  const { shown: entries, ...list } = JSON.parse(asJson.stdout)
  assert.deepEqual([list.name, list.entries, list.createdBy], ['stolen-cards', 2, 'ada'])
  assert.deepEqual(entries.map(({ value }: { value: string }) => value).toSorted(), ['c1', 'c2'])
  assert.match(found.stdout, /\nc1 +.* from the bank\n$/)
  assert.equal(none.stdout, 'c3 is not in stolen-cards.\n')
  assert.equal(
    (await lists('remove', 'stolen-cards', 'c1', 'c3')).stdout,
    'stolen-cards: 1 removed, 1 not in the list.\n',
  )
  assert.equal((await lists('delete', 'stolen-cards', '--json')).stdout, '{"deleted":true}\n')
  assertFailed(await lists('delete', 'stolen-cards'), /there is no list stolen-cards/)
  await run(['events', 'export', '--out', 'all.ndjson'])
  const lines = (await readFile(join(folder, 'all.ndjson'), 'utf8')).trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).data).map(({ change, by }) => [change, by]),
    [
      ['created', 'ada'],
      ['added', 'ada'],
      ['removed', userName()],
      ['deleted', userName()],
    ],
  )
})

test('a value that a stranger chose does not control the terminal', async (t) => {
  const { run } = await commandLine(t)
  await run(['init'])
  const hostile = 'a\u001b[2Jb\u009b31mc\u202ed'
  await run(['lists', 'create', 'users', '--kind', 'userId', '--purpose', 'watch'])
  await run(['lists', 'add', 'users', hostile])
  for (const args of [
    ['show', 'users'],
    ['lookup', 'users', hostile],
    ['lookup', 'users', `${hostile}x`],
  ]) {
    const { stdout } = await run(['lists', ...args])
    assert.match(stdout, /a \[2Jb 31mc d/)
    for (const control of ['\u001b', '\u009b', '\u202e']) assert.ok(!stdout.includes(control))
  }
})

test('an import reports wrong lines, stores the others, and changes nothing when it is repeated', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init'])
  const lists = (...args: string[]) => run(['lists', ...args])
  await lists('create', 'cards', '--kind', 'text', '--purpose', 'block')
  await lists('create', 'numbers', '--kind', 'phoneNumber', '--purpose', 'watch')
  const text = [
    '\uFEFFnote,Value,expires,other',
    '# from the bank',
    'plain,c1,,x',
    '"quoted, with ""quotes""","c,2",2099-01-31,',
    '',
    'late,c3,2020-01-01,',
    'no date,c4,soon,',
    'no value,,,',
    '"open,c5,,',
    ',c6',
    ',c1,,',
  ].join('\r\n')
  await writeFile(join(folder, 'cards.csv'), text)
  const first = await lists('import', 'cards', 'cards.csv', '--by', 'ada')
  assert.equal(first.code, 1)
  assert.match(first.stderr, /4 lines are wrong and not imported; correct them and import the file again\n$/)
  assert.match(
    first.stdout,
    /^cards\.csv:6: it expired at 2020-01-01, or is about to\ncards\.csv:7: "soon" is not a date/,
  )
  assert.match(first.stdout, /\ncards\.csv:8: there is no value\ncards\.csv:9: a field in quotes has no closing "\n/)
  assert.match(first.stdout, /\ncards: 3 added, 0 changed, 1 unchanged in \d+\.\d s\.\n$/)
  const exported = await lists('export', 'cards')
  const rows = exported.stdout.trimEnd().split('\n')
  assert.equal(rows[0], 'value,expires,note')
  assert.deepEqual(rows.slice(1).toSorted(), [
    '"c,2",2099-01-31T00:00:00.000Z,"quoted, with ""quotes"""',
    'c1,,',
    'c6,,',
  ])
  await writeFile(join(folder, 'again.csv'), exported.stdout)
  const again = await lists('import', 'cards', 'again.csv', '--json')
  const { durationMs, ...counts } = JSON.parse(again.stdout)
  assert.ok(durationMs >= 0)
  assert.deepEqual(counts, { added: 0, changed: 0, unchanged: 3, broken: 0, mistakes: [] })

  const numbers = Array.from({ length: 1_200 }, (_, i) => `+91 70201 ${String(40_000 + i)}`)
  numbers[700] = 'not a number'
  await writeFile(join(folder, 'numbers.txt'), numbers.join('\n'))
  const plain = await lists('import', 'numbers', 'numbers.txt', '--note', 'from the past')
  assert.match(
    plain.stdout,
    /^numbers\.txt:701: "not a number" is not of this list, which has phone numbers, such as 91/,
  )
  assert.match(plain.stdout, /numbers: 1,199 added/)
  assert.match((await lists('lookup', 'numbers', '917020140007')).stdout, /from the past\n$/)
  const rest = await lists(
    'import',
    'numbers',
    'numbers.txt',
    '--note',
    'from the past',
    '--from-line',
    '1190',
    '--json',
  )
  assert.equal(JSON.parse(rest.stdout).unchanged, 11)
  assertFailed(await lists('import', 'numbers', 'none.txt'), /none\.txt cannot be read: it does not exist\n$/)
  assertFailed(await lists('import', 'nombers', 'numbers.txt'), /did you mean numbers\?/)
})

test('an import that is stopped says how to continue, and what it stored stays', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init'])
  await run(['lists', 'create', 'cards', '--kind', 'text', '--purpose', 'block'])
  // The process ends itself after the first slices: a signal at any moment has the same handler.
  const stopAfter = `
let slices = 0
const { prototype } = (await import('node:worker_threads')).Worker
const post = prototype.postMessage
prototype.postMessage = function (...args) {
  if (++slices === 60) process.emit('SIGINT')
  return post.apply(this, args)
}`
  const lines = Array.from({ length: 20_000 }, (_, i) => `c${i}`)
  await writeFile(join(folder, 'cards.txt'), lines.join('\n'))
  const stopped = await run(['lists', 'import', 'cards', 'cards.txt'], { env: withModule(stopAfter) })
  assert.equal(stopped.code, 130, stopped.stderr)
  const [, stored = '', line = ''] =
    /stopped: ([\d,]+) entries up to line (\d+) are imported; continue with --from-line/.exec(stopped.stderr) ?? []
  assert.equal(stored.replace(',', ''), line, stopped.stderr)
  assert.ok(Number(line) > 0 && Number(line) < 20_000, line)
  const next = await run(['lists', 'import', 'cards', 'cards.txt', '--from-line', String(Number(line) + 1), '--json'])
  const { added, unchanged } = JSON.parse(next.stdout)
  assert.deepEqual([added, unchanged], [20_000 - Number(line), 0])
})

test('rules check and draft refuse a list that does not exist, and a list in use is not deleted by accident', async (t) => {
  const { folder, run } = await commandLine(t)
  await writeFile(join(folder, 'rules.yaml'), rulesFile)
  const offline = await run(['rules', 'test', 'rules.yaml'])
  assert.match(offline.stdout, /1 rule, 2 cases hold/)
  assert.match(offline.stderr, /names lists, which are not checked: .*ringfence-data has no data/)
  await run(['init'])
  for (const args of [['check'], ['test'], ['draft']]) {
    const missing = await run(['rules', ...args, 'rules.yaml'])
    assert.match(missing.stdout, /^rules\.yaml:4:18: rule stolen: there is no list "stolen-cards"; create it first/)
    assertFailed({ ...missing, stdout: '' }, /rules\.yaml has 1 mistake/)
  }
  await run(['lists', 'create', 'stolen-cards', '--kind', 'text', '--purpose', 'block'])
  assert.equal(
    (await run(['rules', 'check', 'rules.yaml'])).stdout,
    'rules.yaml: 1 rule, no mistake; at most 11 of 2000 µs of CPU time for a decision\nRequires LOGIN: login, device; SIGNUP: device; PAYMENT: device, phone; otherwise CHALLENGE.\n',
  )
  await run(['rules', 'draft', 'rules.yaml'])
  await run(['rules', 'live', '1', '--untried'])
  const kept = await run(['lists', 'delete', 'stolen-cards'])
  assertFailed(kept, /rules in force read stolen-cards: change them first, or use --force/)
  assert.equal((await run(['lists', 'delete', 'stolen-cards', '--force'])).code, 0)
  assert.equal((await readFile(join(folder, 'rules.yaml'), 'utf8')).length, rulesFile.length)
})
