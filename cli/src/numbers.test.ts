import assert from 'node:assert/strict'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@ringfence/server/testing/until.ts'
import { progressBar } from './progress.ts'
import { assertFailed, commandLine, portedNumbers } from './testing.ts'

test('a running server uses an import; an error names line and column, and changes nothing', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  await writeFile(join(folder, 'good.csv'), portedNumbers(['31612345678,204-04,2024-03-01,port']))
  await writeFile(
    join(folder, 'broken.csv'),
    portedNumbers(['31612345678,204-04,2024-03-01,port', '3161234,,2024-03-01,port']),
  )
  const { url } = await serve(['--sandbox'])

  const imported = await run(['numbers', 'import', 'good.csv'])
  assert.equal(imported.code, 0)
  assert.match(imported.stdout, /^Imported 1 row of nl \(ported numbers, full\) as of 2024-03-02 00:00 UTC/)
  assert.match(imported.stdout, /Complete for: 316\n$/)
  assert.equal(imported.stderr, '', 'no progress bar where there is no terminal')

  const credentials = JSON.parse(await readFile(join(folder, 'ringfence-data', 'sandbox-credentials.json'), 'utf8'))
  const portability = async () => {
    const headers = { ...credentials, 'content-type': 'application/json' }
    const body = JSON.stringify({ phoneNumber: '31612345678' })
    const answer = await fetch(`${url}/v1/telecom/portability`, { method: 'POST', headers, body })
    return ((await answer.json()) as { phoneDetail: { isPorted?: boolean; operator?: string } }).phoneDetail
  }
  const detail = await until(portability, ({ operator }) => operator === '204_04')
  assert.deepEqual([detail.isPorted, detail.operator], [true, '204_04'])

  const before = await run(['numbers', 'list', '--json'])
  const [broken, absent, folderGiven, mistyped, mistypedList] = await Promise.all([
    run(['numbers', 'import', 'broken.csv']),
    run(['numbers', 'import', 'absent.csv']),
    run(['numbers', 'import', '.']),
    run(['numbers', 'import', 'good.csv', '--data', 'mistyped']),
    run(['numbers', 'list', '--data', 'mistyped']),
  ])
  assertFailed(broken, /broken\.csv, line 9, column \d+: found .*, expected /)
  assertFailed(absent, /^ringfence: absent\.csv cannot be read: it does not exist\n$/)
  assertFailed(folderGiven, /\. is a folder: name a CSV file/)
  assertFailed(mistyped, /folder mistyped does not exist: .*--data DIR/)
  assertFailed(mistypedList, /folder mistyped does not exist: .*--data DIR/)
  await assert.rejects(access(join(folder, 'mistyped')), 'the folder was not created')
  const [list, readable] = await Promise.all([run(['numbers', 'list', '--json']), run(['numbers', 'list'])])
  assert.equal(list.stdout, before.stdout)
  const [dataSet] = JSON.parse(list.stdout)
  assert.deepEqual([dataSet.source, dataSet.callingCode, dataSet.rows, dataSet.complete], ['nl', '31', 1, ['316']])
  assert.match(readable.stdout, /^SOURCE +KIND .*\nnl +ported-numbers +31 +2024-03-02 00:00 UTC +1 +316 /)
})

test('an import warns of numbers that cannot be those of the country or lie outside of complete', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init'])
  await writeFile(join(folder, 'odd.csv'), portedNumbers(['31201234567,204-04,,port', '31600000000,204-04,,port']))
  await writeFile(join(folder, 'fixed.csv'), portedNumbers(['31201234567,204-04,,port']))
  const odd = await run(['numbers', 'import', 'odd.csv'])
  assert.equal(odd.code, 0, odd.stderr)
  assert.equal(
    odd.stderr,
    'Warning: 1 of 2 numbers are not valid in +31. Is the column of the numbers right? Checks refuse such numbers.\n',
  )
  const { stderr } = await run(['numbers', 'import', 'fixed.csv'])
  assert.match(
    stderr,
    /^Warning: None of 1 numbers is within complete \(316\), where every other number is now not ported\.\n$/,
  )
})

test('a mapped file and its increment are imported, and say what they know of a number', async (t) => {
  const { folder, run } = await commandLine(t)
  const write = (name: string, lines: string[]) => writeFile(join(folder, name), `${lines.join('\n')}\n`)
  const mapping = [
    'source: nl',
    "callingCode: '31'",
    "complete: ['316']",
    "delimiter: ';'",
    "trailer: 'END '",
    "nationalPrefix: '0'",
    'columns: { number: MSISDN, operator: OP, action: ACT }',
    'actions: { port: [I], return: [D] }',
    'operators: { KPN: 204-08 }',
  ]
  await write('nl.yaml', mapping)
  await write('full.csv', ['ACT;MSISDN;OP', 'I;0612345678;KPN', 'END 1'])
  await write('changes.csv', ['ACT;MSISDN;OP', 'D;0612345678;', 'END 1'])
  await run(['init'])
  const mapped = ['--mapping', 'nl.yaml', '--as-of']
  assertFailed(await run(['numbers', 'import', 'full.csv', '--mapping', 'nl.yaml']), /--mapping needs --as-of/)
  assertFailed(await run(['numbers', 'increment', 'full.csv', ...mapped, '2026-10-01']), /import a full file/)
  await write(
    'no-trailer.yaml',
    mapping.filter((line) => !line.startsWith('trailer')),
  )
  const withoutTrailer = ['--mapping', 'no-trailer.yaml', '--as-of', '2026-10-01']
  assertFailed(
    await run(['numbers', 'import', 'full.csv', ...withoutTrailer]),
    /no-trailer\.yaml: complete needs trailer/,
  )
  const full = await run(['numbers', 'import', 'full.csv', ...mapped, '2026-10-01'])
  assert.match(full.stdout, /^Imported 1 row of nl \(ported numbers, full\)/, full.stderr)
  const lookUp = async (digits: string) =>
    JSON.parse((await run(['numbers', 'lookup', digits, '--json'])).stdout).sources
  assert.deepEqual(await lookUp('31612345678'), [
    { source: 'nl', operator: '204-08', ported: true, asOf: '2026-10-01T00:00:00.000Z' },
  ])
  assert.deepEqual(await lookUp('31201234567'), [])
  const changes = await run(['numbers', 'increment', 'changes.csv', ...mapped, '2026-10-02'])
  assert.equal(changes.code, 0, changes.stderr)
  assert.equal((await lookUp('+31 612345678'))[0].ported, false)
  assert.match(
    (await run(['numbers', 'explain', '31612345678'])).stdout,
    /NL\. Order: imported data first.*\n1 +nl +not ported/s,
  )
  const { state, sources } = JSON.parse((await run(['numbers', 'status', '--json'])).stdout)
  assert.deepEqual([state, sources[0].rows, sources[0].incrementRows], ['ready', 1, 1])
  assertFailed(await run(['numbers', 'lookup', '123']), /123 is not a valid number|123 must/)
})

test('a name or text of others moves no cursor, and a pipe or a day that there is not is refused', async (t) => {
  const { folder, run } = await commandLine(t)
  await mkdir(join(folder, 'ringfence-data'))
  const name = 'a\u001b[2J\u009b2J\n\u202eb.csv'
  await writeFile(join(folder, name), '\u009b2Jnumber\u202e\n')
  const shown = String.raw`a\u{1b}[2J\u{9b}2J\u{a}\u{202e}b.csv`
  const { stderr } = await run(['numbers', 'import', name])
  assert.equal(
    stderr,
    String.raw`ringfence: ${shown}, line 1, column 1: found "\u{9b}2Jnumber\u{202e}", expected the line '# ringfence: ported-numbers 1' or '# ringfence: allocation-ranges 1'` +
      '\n',
  )
  assert.equal(
    (await run(['numbers', 'import', `${name}x`])).stderr,
    `ringfence: ${shown}x cannot be read: it does not exist\n`,
  )
  assertFailed(
    await run(['numbers', 'import', '/dev/null']),
    /\/dev\/null is a pipe or a device: write it to a file first/,
  )
  const mapped = ['numbers', 'import', name, '--mapping', 'absent.yaml', '--as-of']
  assertFailed(await run([...mapped, '2026-02-28']), /absent\.yaml cannot be read: it does not exist/)
  assertFailed(await run([...mapped, '2026-02-31']), /--as-of.*2026-02-31.*must be a date or a time in UTC/, 2)
})

test('shows progress as a bar on a terminal, and nothing elsewhere', () => {
  const written = (isTTY: boolean) => {
    let text = ''
    const write = (chunk: string) => {
      text += chunk
      return true
    }
    const progress = progressBar({ isTTY, columns: 80, write } as unknown as NodeJS.WriteStream)
    progress.show({ phase: 'reading', done: 1, total: 4 })
    progress.show({ phase: 'reading', done: 3, total: 4 })
    progress.show({ phase: 'sorting', done: 0, total: 2 })
    progress.end()
    return text
  }
  assert.match(written(true), /reading .*75%.*sorting .*0%/s)
  assert.equal(written(false), '')
})
