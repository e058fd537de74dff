import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { openRowCursor } from './blocks/row-cursor.ts'
import type { ImportProgress } from './import-task.ts'
import { lockImports, numbersFolder, readManifest } from './manifest.ts'
import { NumberFileError } from './number-file-error.ts'
import { OperatorTable } from './operator-table.ts'
import { AS_OF, allocationFile, ask, incrementFile, LATER, portedFile, testNumbers } from './test-numbers.ts'

const ROW = '31612345678,204-08,2024-03-01,port'

/** What is wrong in which line and column (from 1), and what the message says. */
const broken: [title: string, text: string, line: number, column: number, found: RegExp, expected: RegExp][] = [
  ['an empty file', '', 1, 1, /an empty file/, /# ringfence: ported-numbers 1/],
  ['a file of another kind', 'number,operator\n1,2\n', 1, 1, /number,operator/, /# ringfence: ported-numbers 1/],
  [
    'an unknown kind',
    portedFile([], { ringfence: 'ported-numbers 2' }),
    1,
    14,
    /ported-numbers 2/,
    /ported-numbers 1 or/,
  ],
  ['an unknown key', portedFile([], { colour: 'red' }), 6, 1, /# colour: red/, /one of the keys ringfence, source/],
  ['a comment', `# hello\n${portedFile([])}`, 1, 1, /# hello/, /'# key: value'/],
  ['a key before the first', `# source: nl\n${portedFile([])}`, 1, 1, /# source: nl/, /'# ringfence: …' first/],
  ['a key said twice', portedFile([]).replace('# as-of', '# source: be\n# as-of'), 4, 1, /be/, /one line '# source/],
  ['a key left out', portedFile([], { 'as-of': undefined }), 5, 1, /number,operator/, /a line '# as-of: …' above it/],
  ['a source that is a path', portedFile([], { source: '../nl' }), 2, 11, /\.\.\/nl/, /lower-case letters/],
  ['a calling code with a plus', portedFile([], { 'calling-code': '+31' }), 3, 17, /\+31/, /calling code such as 31/],
  [
    'a day that there is not',
    portedFile([], { 'as-of': '2026-02-30' }),
    4,
    10,
    /2026-02-30/,
    /a date or a time in UTC/,
  ],
  ['a time to come', portedFile([], { 'as-of': '2026-11-02' }), 4, 10, /2026-11-02/, /a time that has come/],
  ['an increment of nothing', incrementFile([]), 5, 13, /increment/, /full, as nothing of nl/],
  ['a full file that follows', portedFile([], { follows: AS_OF }), 6, 12, /2026/, /in an increment only/],
  ['an increment before its time', incrementFile([], AS_OF, LATER), 6, 12, /T03/, /a time before 2026-10-31T02/],
  [
    'an increment that is complete',
    incrementFile([]).replace('number,', '# complete: 31\nnumber,'),
    7,
    13,
    /31/,
    /full file only/,
  ],
  [
    'a range elsewhere',
    portedFile([], { complete: '316 4477' }),
    6,
    13,
    /316 4477/,
    /"4477" to begin with the calling code 31/,
  ],
  ['a range that is none', portedFile([], { complete: '316,317' }), 6, 13, /316,317/, /a prefix such as/],
  [
    'another header row',
    portedFile([]).replace('ported-on', 'date'),
    6,
    1,
    /date/,
    /'number,operator,ported-on,action'/,
  ],
  ['nothing after the metadata', '# ringfence: ported-numbers 1\n', 2, 1, /end of the file/, /header row/],
  [
    'a plus sign',
    portedFile(['+31612345678,204-08,,port']),
    7,
    1,
    /\+31612345678/,
    /digits that begin with the calling code 31/,
  ],
  ['another country', portedFile([ROW, '32612345678,204-08,,port']), 8, 1, /32612345678/, /calling code 31/],
  ['a number of 4 digits', portedFile(['3161,204-08,,port']), 7, 1, /"3161"/, /5 to 15 digits/],
  ['a number of 16 digits', portedFile(['3161234567890123,204-08,,port']), 7, 1, /3161234567890123/, /5 to 15 digits/],
  ['a quoted number', portedFile(['"31612345678",204-08,,port']), 7, 1, /31612345678/, /digits/],
  ['an operator by name', portedFile(['31612345678,KPN B.V.,,port']), 7, 13, /KPN B\.V\./, /204-08/],
  ['a port to nobody', portedFile(['31612345678,,,port']), 7, 13, /an empty field/, /the number was ported to/],
  ['a return to somebody', portedFile(['31612345678,204-08,,return']), 7, 13, /204-08/, /no operator/],
  [
    'a day that there is not',
    portedFile(['31612345678,204-08,2023-02-29,port']),
    7,
    20,
    /2023-02-29/,
    /a date such as/,
  ],
  [
    'a date the other way round',
    portedFile(['31612345678,204-08,01-03-2024,port']),
    7,
    20,
    /01-03-2024/,
    /a date such as/,
  ],
  [
    'a port still to come',
    portedFile(['31612345678,204-08,2026-11-02,port']),
    7,
    20,
    /2026-11-02/,
    /not after 2026-11-01/,
  ],
  ['an unknown action', portedFile(['31612345678,204-08,,ported']), 7, 21, /"ported"/, /port or return/],
  ['a field too many', portedFile([`${ROW},x`]), 7, 31, /"port"/, /the end of the line/],
  ['a field too few', portedFile(['31612345678,204-08']), 7, 13, /204-08/, /a comma/],
  ['an empty line', portedFile([ROW, '', ROW]), 8, 1, /end of the line/, /digits/],
  ['a file that was cut off', portedFile([ROW]).replace('# rows: 1\n', ''), 8, 1, /end of the file/, /# rows: 1/],
  ['a row that is missing', portedFile([ROW, ROW]).replace(`${ROW}\n`, ''), 8, 1, /# rows: 2/, /# rows: 1/],
  ['something after the end', `${portedFile([ROW])}${ROW}\n`, 9, 1, /31612345678/, /the end of the file/],
  [
    'a line without end',
    `${portedFile([]).replace('# rows: 0\n', '')}${'3'.repeat(3_000_000)}`,
    7,
    1,
    /more than 2097151 bytes/,
    /at most 2 MB/,
  ],
  ['an increment of ranges', allocationFile([], { contents: 'full' }), 5, 13, /full/, /always given in full/],
  ['a range of unequal ends', allocationFile(['31610-316100,204-08,']), 6, 1, /31610-316100/, /equally long/],
  ['a range of another country', allocationFile(['31610-32610,204-08,']), 6, 1, /31610-32610/, /calling code 31/],
  ['a range of nobody', allocationFile(['316,,MOBILE']), 6, 5, /an empty field/, /operator id/],
  ['an unknown line', allocationFile(['316,204-08,FAX']), 6, 12, /FAX/, /MOBILE, LANDLINE or nothing/],
  [
    'a range given twice',
    allocationFile(['316,204-08,', '317,204-08,', '316,204-16,']),
    8,
    1,
    /"316"/,
    /within 316 of line 6/,
  ],
  [
    'ranges that overlap',
    allocationFile(['31605-31615,204-08,', '31600-31610,204-16,']),
    7,
    1,
    /31600-31610/,
    /31605-31615 of line 6/,
  ],
]

for (const [title, text, line, column, found, expected] of broken) {
  test(`refuses a broken import file with line and column and changes nothing: ${title}`, async (t) => {
    const numbers = testNumbers(t)
    const unrelated = portedFile(['31699999999,204-08,,port'], { source: 'kept' })
    await numbers.import(unrelated)
    const before = numbers.content()
    await assert.rejects(numbers.import(text), (error) => {
      assert.ok(error instanceof NumberFileError, String(error))
      assert.match(error.found, found)
      assert.match(error.expected, expected)
      assert.deepEqual([error.line, error.column], [line, column])
      assert.ok(error.message.includes(`import.csv, line ${line}, column ${column}: found ${error.found}, expected`))
      return true
    })
    assert.deepEqual(numbers.content(), before)
  })
}

test('names the line of an error far into a file', async (t) => {
  const rows = Array.from({ length: 100_000 }, (_, i) => `${31_600_000_000 + i},204-08,2024-03-01,port`)
  rows[90_000] = '31612345678,204-08,2024-13-01,port'
  await assert.rejects(testNumbers(t).import(portedFile(rows)), { line: 90_007, column: 20, found: '"2024-13-01"' })
})

test('stores every row of a file of several megabytes unchanged', async (t) => {
  const numbers = testNumbers(t)
  const lastDay = Date.parse('2026-10-31') / 86_400_000
  const expected = Array.from({ length: 100_000 }, (_, i) => {
    return { number: 31_600_000_000 + i * 41, operator: `nl:${i % 300}`, portedOn: i % (lastDay + 1) }
  })
  const lines = expected.map(({ number, operator, portedOn }) => {
    return `${number},${operator},${portedOn ? new Date(portedOn * 86_400_000).toISOString().slice(0, 10) : ''},port`
  })
  await numbers.import(portedFile(lines.toReversed()))
  const operators = new OperatorTable()
  const cursor = await openRowCursor(numbers.pathOf(/\.blocks$/), operators)
  t.after(() => cursor.close())
  for (const row of expected) {
    assert.ok(cursor.next())
    const { number, operator, portedOn } = cursor
    if (number === row.number && operators.ids[operator] === row.operator && portedOn === row.portedOn) continue
    assert.deepEqual({ number, operator: operators.ids[operator], portedOn }, row)
  }
  assert.ok(!cursor.next())
})

test('refuses a changed byte or imports rows of the same form', async (t) => {
  const numbers = testNumbers(t)
  const bytes = Buffer.from(portedFile([ROW, '31612345679,,,return'], { complete: '316 31700-31799' }))
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
      const copy = Buffer.from(bytes)
      copy[at] = byte
      const before = numbers.content()
      try {
        const { rows } = await numbers.import(copy)
        assert.equal(rows, 2)
        fs.rmSync(numbersFolder(numbers.dataFolder), { recursive: true })
      } catch (error) {
        assert.ok(error instanceof NumberFileError, String(error))
        assert.deepEqual(numbers.content(), before)
      }
    }),
    { numRuns: 100 },
  )
})

test('accepts Windows line ends, a byte order mark and a last line without a line end', async (t) => {
  const numbers = testNumbers(t)
  const text = `\ufeff${portedFile([ROW], { complete: '316' }).trimEnd().replaceAll('\n', '\r\n')}`
  assert.deepEqual((await numbers.import(text)).complete, ['316'])
  assert.equal((await ask((await numbers.open()).current(), 'nl', '31612345678'))?.operator, '204-08')
})

test('returns a summary of the import', async (t) => {
  const numbers = testNumbers(t)
  const { durationMs, bytes, ...summary } = await numbers.import(
    portedFile([ROW, ROW, '31612345679,,,return'], { complete: '316' }).replace(
      'number,',
      '# complete: 31700-31799\nnumber,',
    ),
  )
  assert.deepEqual(summary, {
    source: 'nl',
    kind: 'ported-numbers',
    contents: 'full',
    callingCode: '31',
    asOf: Date.parse(AS_OF),
    rows: 3,
    numbers: { impossible: 0, sampled: 3, invalid: 0, outsideComplete: 0 },
    rowsHeld: 2,
    complete: ['316', '31700-31799'],
  })
  assert.ok(durationMs > 0)
  assert.equal(bytes, fs.statSync(numbers.pathOf(/\.blocks$/)).size)
})

test('reports progress up to the end of the file', async (t) => {
  const result: ImportProgress[] = []
  const rows = Array.from({ length: 70_000 }, (_, i) => `${31_600_000_000 + i},204-08,2024-03-01,port`)
  const text = portedFile(rows)
  await testNumbers(t).import(text, { onProgress: (progress) => result.push(progress) })
  const reading = result.filter(({ phase }) => phase === 'reading')
  assert.ok(reading.length >= 2)
  assert.deepEqual(result[0], { phase: 'reading', done: 1 << 20, total: text.length })
  assert.ok(result.every(({ done, total }) => done <= total))
  assert.deepEqual(result.at(-1), { phase: 'sorting', done: 1, total: 1 })
})

for (const phase of ['reading', 'sorting', 'merging'] as const) {
  test(`changes nothing when an import is stopped while ${phase}`, async (t) => {
    const numbers = testNumbers(t)
    const rows = Array.from({ length: 510_000 }, (_, i) => `${31_600_000_000 + i},204-08,,port`)
    await numbers.import(portedFile([ROW]))
    const before = numbers.content()
    const stop = new AbortController()
    const reason = new Error('stopped by hand')
    const onProgress = (progress: ImportProgress) => progress.phase === phase && stop.abort(reason)
    const importing = numbers.import(incrementFile(rows), { signal: stop.signal, onProgress })
    await assert.rejects(importing, reason)
    assert.deepEqual(numbers.content(), before)
    assert.equal((await numbers.import(incrementFile([ROW]))).rows, 1)
  })
}

test('refuses a second import while one is running, and allows it afterwards', async (t) => {
  const numbers = testNumbers(t)
  const unlock = lockImports(numbers.dataFolder)
  await assert.rejects(numbers.import(portedFile([ROW])), /Another import of number data into .* is running/)
  unlock()
  await numbers.import(portedFile([ROW]))
})

test('removes the files of a killed import with the next import', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile([ROW]))
  const left = path.join(numbersFolder(numbers.dataFolder), '2.nl.scratch')
  fs.writeFileSync(left, 'left')
  await numbers.import(incrementFile([ROW]))
  assert.ok(!fs.existsSync(left))
})

test('never removes a file that no import has written, even the imported file itself', async (t) => {
  const numbers = testNumbers(t)
  const folder = numbersFolder(numbers.dataFolder)
  fs.mkdirSync(path.join(folder, 'archive'), { recursive: true })
  const file = path.join(folder, 'ported.csv')
  fs.writeFileSync(file, portedFile([ROW]))
  await numbers.import('', { file })
  assert.deepEqual(fs.readdirSync(folder).sort(), [
    '1.nl.blocks',
    'archive',
    'import.lock',
    'manifest.json',
    'ported.csv',
  ])
})

test('creates the folders of imported numbers readable by their owner only', async (t) => {
  const numbers = testNumbers(t)
  const dataFolder = path.join(numbers.dataFolder, 'new')
  await numbers.import(portedFile([ROW]), { dataFolder })
  for (const folder of [dataFolder, numbersFolder(dataFolder)]) assert.equal(fs.statSync(folder).mode & 0o777, 0o700)
})

test('refuses a file that is not a manifest, says what to do, and does not overwrite it', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile([ROW]))
  for (const text of ['{', '{"format":2}']) {
    fs.writeFileSync(numbers.pathOf(/^manifest.json$/), text)
    await assert.rejects(
      numbers.import(portedFile([ROW])),
      /manifest.json is not a manifest of number data: .*Remove its folder/,
    )
    assert.throws(() => readManifest(numbers.dataFolder))
    assert.equal(fs.readFileSync(numbers.pathOf(/^manifest.json$/), 'utf8'), text)
  }
})

test('passes on the error of the file system for a missing file and creates no folder', async (t) => {
  const numbers = testNumbers(t)
  await assert.rejects(numbers.import('', { file: path.join(numbers.dataFolder, 'none.csv') }), { code: 'ENOENT' })
  assert.ok(!fs.existsSync(numbersFolder(numbers.dataFolder)))
})

test('refuses a file whose numbers have lengths that the country does not have, at the first one', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31612345678,204-08,,port']))
  const before = numbers.content()
  const rows = ['31612345678', '316123', '31612345678901'].map((number) => `${number},204-08,,port`)
  await assert.rejects(
    numbers.import(portedFile(rows, { complete: '316', 'as-of': LATER })),
    /import\.csv, line 9, column 1: found "316123" and 1 other numbers that \+31 does not have, expected numbers of \+31 .*column/,
  )
  assert.deepEqual(numbers.content(), before)
})

test('counts the few impossible numbers of a long file, those that are not valid, and those outside of complete', async (t) => {
  const numbers = testNumbers(t)
  const rows = Array.from({ length: 3000 }, (_, n) => `${31_612_000_000 + n},204-08,,port`)
  rows[2500] = '316123,204-08,,port'
  rows[7] = '31600000000,204-08,,port'
  rows[8] = '31201234567,204-08,,port'
  const summary = await numbers.import(portedFile(rows, { complete: '316' }))
  assert.deepEqual(summary.numbers, { impossible: 1, sampled: 1002, invalid: 1, outsideComplete: 1 })
  const increment = await numbers.import(incrementFile(['31201234567,204-08,,port']))
  assert.deepEqual(increment.numbers, { impossible: 0, sampled: 1, invalid: 0, outsideComplete: 1 })
})
