import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { DataFileError } from '../../core/files/data-file-error.ts'
import { longestWaitMs } from '../../core/files/newer-files.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { numbersFolder, readManifest } from './manifest.ts'
import { AS_OF, allocationFile, ask, incrementFile, LATER, portedFile, testNumbers } from './test-numbers.ts'

const asOf = Date.parse(AS_OF)
const later = Date.parse(LATER)

test('reports a listed number as ported, with its new operator', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31612345678,204-08,2024-03-01,port', '31612345679,ofcom:CH1,,port']))
  const sources = (await numbers.open()).current()
  assert.deepEqual(await ask(sources, 'nl', '31612345678'), { operator: '204-08', ported: true, asOf })
  assert.deepEqual(await ask(sources, 'nl', '31612345679'), { operator: 'ofcom:CH1', ported: true, asOf })
})

test('reports a returned number as not ported, without an operator', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31612345678,,2024-03-01,return']))
  assert.deepEqual(await ask((await numbers.open()).current(), 'nl', '31612345678'), { ported: false, asOf })
})

test('reports an unlisted number as not ported within complete ranges, and as unknown elsewhere', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31612345678,204-08,,port'], { complete: '316 31970000000-31979999999' }))
  const sources = (await numbers.open()).current()
  assert.deepEqual(await ask(sources, 'nl', '31612345670'), { ported: false, asOf })
  assert.deepEqual(await ask(sources, 'nl', '31975555555'), { ported: false, asOf })
  assert.equal(await ask(sources, 'nl', '31980000000'), undefined)
  assert.equal(await ask(sources, 'nl', '31201234567'), undefined)
})

test('does not know a number of another calling code that begins with the same digits', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31612345678,204-08,,port'], { complete: '31' }))
  assert.equal(await ask((await numbers.open()).current(), 'nl', '31612345678', '316'), undefined)
})

test('does not know a number that is longer than E.164 allows', async (t) => {
  const numbers = testNumbers(t)
  const others = Array.from({ length: 10 }, (_, n) => `${31_612_345_670 + n},204-08,,port`)
  await numbers.import(portedFile(['316123456789012,204-08,,port', ...others], { complete: '31' }))
  assert.equal(await ask((await numbers.open()).current(), 'nl', '31612345678901200'), undefined)
})

test('uses the last of several rows of a number', async (t) => {
  const numbers = testNumbers(t)
  const rows = [
    '31612345678,204-08,,port',
    '31612345678,204-16,,port',
    '31612345679,204-08,,port',
    '31612345679,,,return',
  ]
  await numbers.import(portedFile(rows))
  const sources = (await numbers.open()).current()
  assert.equal((await ask(sources, 'nl', '31612345678'))?.operator, '204-16')
  assert.deepEqual(await ask(sources, 'nl', '31612345679'), { ported: false, asOf })
})

test('reports the home operator of the narrowest allocation range, and nothing about porting', async (t) => {
  const numbers = testNumbers(t)
  const rows = [
    '316,204-08,MOBILE',
    '3161234,204-16,',
    '31612345000-31612345999,204-04,MOBILE',
    '3120,nl:fixed,LANDLINE',
  ]
  await numbers.import(allocationFile(rows, { complete: '31' }))
  const sources = (await numbers.open()).current()
  const homeOperators = {
    '31699999999': '204-08',
    '31612340000': '204-16',
    '31612345678': '204-04',
    '31201234567': 'nl:fixed',
  }
  for (const [number, homeOperator] of Object.entries(homeOperators)) {
    assert.deepEqual(await ask(sources, 'nl-ranges', number), { homeOperator, asOf })
  }
  assert.equal(await ask(sources, 'nl-ranges', '31301234567'), undefined, 'allocated to nobody')
})

test('serves the data of several countries, ported numbers before allocation ranges', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(allocationFile(['316,204-08,']))
  await numbers.import(portedFile(['4915112345678,262-01,,port'], { source: 'de', 'calling-code': '49' }))
  await numbers.import(portedFile(['31612345678,204-16,,port']))
  const sources = (await numbers.open()).current()
  assert.deepEqual(
    sources.map(({ name }) => name),
    ['de', 'nl', 'nl-ranges'],
  )
  assert.equal((await ask(sources, 'de', '4915112345678', '49'))?.operator, '262-01')
  assert.equal((await ask(sources, 'nl', '31612345678'))?.operator, '204-16')
  assert.equal((await ask(sources, 'nl-ranges', '31612345678'))?.homeOperator, '204-08')
})

test('applies increments over previous data, with the same completeness, also after a restart', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(
    portedFile(['31600000001,204-08,,port', '31600000002,204-08,,port', '31600000003,204-08,,port'], {
      complete: '316',
    }),
  )
  const sources = await numbers.open()
  const summary = await numbers.import(
    incrementFile(['31600000002,204-16,,port', '31600000003,,,return', '31600000004,204-04,,port']),
  )
  assert.deepEqual([summary.rows, summary.rowsHeld, summary.complete], [3, 6, ['316']])
  const check = async (current: Awaited<ReturnType<typeof numbers.open>>) => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => ask(current.current(), 'nl', `3160000000${i}`)))
    assert.deepEqual(answers, [
      { operator: '204-08', ported: true, asOf: later },
      { operator: '204-16', ported: true, asOf: later },
      { ported: false, asOf: later },
      { operator: '204-04', ported: true, asOf: later },
      { ported: false, asOf: later },
    ])
  }
  await sources.reload()
  await check(sources)
  await check(await numbers.open())
})

test('requires an increment to continue the imported data: rejects a gap and a repetition', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  const leftOut = numbers.import(incrementFile([], '2026-10-31T05:00:00Z', '2026-10-31T04:00:00Z'))
  await assert.rejects(
    leftOut,
    /line 6, column 12: found "2026-10-31T04:00:00Z", expected follows: 2026-10-31T02:00:00Z/,
  )
  await numbers.import(incrementFile([]))
  await assert.rejects(numbers.import(incrementFile([])), /contain this increment already/)
  await assert.rejects(numbers.import(portedFile([])), /as-of: 2026-10-31T03:00:00Z or later/)
  await numbers.import(portedFile([], { 'as-of': LATER }))
})

test('refuses another kind or calling code for an imported source', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile([]))
  await assert.rejects(
    numbers.import(allocationFile([], { source: 'nl' })),
    /ported-numbers 1, as nl was imported before/,
  )
  await assert.rejects(
    numbers.import(portedFile([], { 'calling-code': '32' })),
    /calling-code: 31, as nl was imported before/,
  )
})

test('answers from many increments as from one file, below and above the merge limit', async (t) => {
  const row = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom('204-08', '204-16', 'nl:x', undefined))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 12 }), { minLength: 1, maxLength: 6 }), async (files) => {
      const numbers = testNumbers(t)
      const sources = await numbers.open()
      const expected = new Map<number, string | undefined>()
      for (const [i, rows] of files.entries()) {
        for (const [number, operator] of rows) expected.set(number, operator)
        const lines = rows.map(
          ([number, operator]) => `${31_600_000_000 + number},${operator ?? ''},,${operator ? 'port' : 'return'}`,
        )
        const time = (hour: number) => `2026-10-31T0${hour}:00:00Z`
        const text = i === 0 ? portedFile(lines, { 'as-of': time(0) }) : incrementFile(lines, time(i), time(i - 1))
        await numbers.import(text, { compactAboveRows: 15 })
        await sources.reload()
      }
      for (let number = 0; number <= 40; number++) {
        const answer = await ask(sources.current(), 'nl', String(31_600_000_000 + number))
        const operator = expected.get(number)
        assert.deepEqual(
          [answer?.operator, answer?.ported],
          expected.has(number) ? [operator, operator !== undefined] : [undefined, undefined],
        )
      }
    }),
    { numRuns: 12 },
  )
})

test('merges increments above the limit into the base file', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  await numbers.import(incrementFile(['31600000001,204-16,,port', '31600000002,204-16,,port']), { compactAboveRows: 2 })
  assert.equal(readManifest(numbers.dataFolder).dataSets[0]?.increments?.rows, 2)
  const third = incrementFile(['31600000003,204-16,,port'], '2026-10-31T04:00:00Z', LATER)
  assert.equal((await numbers.import(third, { compactAboveRows: 2 })).rowsHeld, 3)
  const [dataSet] = readManifest(numbers.dataFolder).dataSets
  assert.deepEqual([dataSet?.base.rows, dataSet?.increments], [3, undefined])
  assert.equal((await ask((await numbers.open()).current(), 'nl', '31600000001'))?.operator, '204-16')
  const files = fs.readdirSync(numbersFolder(numbers.dataFolder)).sort()
  assert.deepEqual(files, [dataSet?.base.name, 'import.lock', 'manifest.json'].sort())
})

test('uses an import in the first look-up a second later, and in all look-ups while it loads', async (t) => {
  const numbers = testNumbers(t)
  const sources = await numbers.open()
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  assert.deepEqual(sources.newest(), [], 'no look, and no waiting, before a second has passed')
  numbers.clock.advance(1_000)
  const [first, second] = await Promise.all([sources.newest(), sources.newest()])
  assert.equal((await ask(first, 'nl', '31600000001'))?.operator, '204-08')
  assert.equal(second, first)
  assert.equal(sources.newest(), first, 'no waiting when the last look is fresh')
  t.mock.timers.reset()

  await numbers.import(incrementFile(['31600000001,204-16,,port']))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  assert.equal((await ask(await sources.newest(), 'nl', '31600000001'))?.operator, '204-08')
  numbers.clock.advance(-3_600_000)
  assert.equal((await ask(await sources.newest(), 'nl', '31600000001'))?.operator, '204-16', 'after a clock set back')
  assert.equal((await ask(first, 'nl', '31600000001'))?.operator, '204-16', 'a source held from before as well')
})

test('waits 250 ms once for an import that loads slowly, and uses it when it is ready', async (t) => {
  const numbers = testNumbers(t)
  const sources = await numbers.open()
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  numbers.clock.advance(1_000)
  const earlier = sources.newest()
  t.mock.timers.tick(250)
  assert.deepEqual(await earlier, [], 'the data before')
  numbers.clock.advance(1_000)
  assert.deepEqual(sources.newest(), [], 'at once, while it is still being opened')
  await sources.reload()
  assert.equal((await ask(sources.current(), 'nl', '31600000001'))?.operator, '204-08')
})

test('answers look-ups in progress while a new base replaces the old one', async (t) => {
  const numbers = testNumbers(t)
  const rows = (operator: string) => Array.from({ length: 20_000 }, (_, i) => `${31_600_000_000 + i},${operator},,port`)
  await numbers.import(portedFile(rows('204-08')))
  const sources = await numbers.open()
  await numbers.import(portedFile(rows('204-16'), { 'as-of': LATER }))
  const before = Array.from({ length: 200 }, (_, i) => ask(sources.current(), 'nl', String(31_600_000_000 + i * 97)))
  await sources.reload()
  const after = await ask(sources.current(), 'nl', '31600000000')
  assert.deepEqual(new Set((await Promise.all(before)).map((answer) => answer?.operator)), new Set(['204-08']))
  assert.equal(after?.operator, '204-16')
})

test('loads imports that replace each other while they are read', async (t) => {
  const numbers = testNumbers(t)
  const importAll = async () => {
    for (let i = 0; i < 8; i++) await numbers.import(portedFile(['31600000001,204-08,,port'], { source: `nl-${i}` }))
  }
  await importAll()
  const sources = await numbers.open()
  let isDone = false
  const reloading = (async () => {
    while (!isDone) await (await numbers.open()).reload()
  })()
  for (let i = 0; i < 5; i++) await importAll()
  isDone = true
  await reloading
  await sources.reload()
  assert.equal((await ask(sources.current(), 'nl-7', '31600000001'))?.operator, '204-08')
})

const openFiles = (folder: string) => {
  const names = fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return []
    }
  })
  return names.filter((name) => name.startsWith(folder)).length
}

test('closes files that it no longer needs', {
  skip: fs.existsSync('/proc/self/fd') ? false : 'no /proc on this machine',
}, async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  const sources = await numbers.open()
  await numbers.import(incrementFile(['31600000002,204-08,,port']))
  await sources.reload()
  assert.equal(openFiles(numbers.dataFolder), 1, 'the base; increments are in memory')
  await numbers.import(portedFile(['31600000001,204-08,,port'], { 'as-of': LATER }))
  await sources.reload()
  assert.equal(openFiles(numbers.dataFolder), 1, 'the new base')
  await numbers.import(portedFile(['31600000001,204-16,,port'], { 'as-of': LATER }))
  await numbers.import(portedFile([], { source: 'second' }))
  fs.truncateSync(numbers.pathOf(/second/))
  await assert.rejects(sources.reload(), DataFileError)
  assert.equal(openFiles(numbers.dataFolder), 1, 'still the base before the damaged import')
  await sources.close()
  assert.equal(openFiles(numbers.dataFolder), 0)
})

test('reports a damaged newer import once and continues with the previous data', async (t) => {
  holdTimers(t, longestWaitMs) // a look waits for the disk, however slow it is
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  const sources = await numbers.open()
  await numbers.import(incrementFile(['31600000001,204-16,,port']))
  const file = numbers.pathOf(/increments/)
  fs.truncateSync(file, fs.statSync(file).size - 1)
  await assert.rejects(sources.reload(), DataFileError)
  for (let i = 0; i < 3; i++) {
    numbers.clock.advance(1_000)
    assert.equal((await ask(await sources.newest(), 'nl', '31600000001'))?.operator, '204-08')
    assert.equal(numbers.problems.length, 1)
    await assert.rejects(sources.reload(), DataFileError)
  }
  assert.ok(numbers.problems[0] instanceof DataFileError)
  const [name] = path.basename(file).split('.')
  assert.ok(String(numbers.problems[0]).includes(`${name}.nl.increments.blocks is truncated or altered`))
})

test('refuses a corrupt or truncated stored file with the reason', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  await numbers.import(allocationFile(['316,204-08,']))
  for (const pattern of [/nl\.blocks$/, /ranges$/]) {
    const file = numbers.pathOf(pattern)
    const bytes = fs.readFileSync(file)
    fs.writeFileSync(file, bytes.subarray(0, -1))
    await assert.rejects(numbers.open(), DataFileError)
    bytes[bytes.length - 40]! ^= 1
    fs.writeFileSync(file, bytes)
    await assert.rejects(numbers.open(), /altered/)
    bytes[bytes.length - 40]! ^= 1
    fs.writeFileSync(file, bytes)
  }
  fs.rmSync(numbers.pathOf(/ranges$/))
  await assert.rejects(numbers.open(), /cannot be read \(ENOENT\)\. Import the full number file again/)
})

test('verifies a block again ten minutes after it was read', async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  const sources = await numbers.open()
  await ask(sources.current(), 'nl', '31600000001')
  const file = numbers.pathOf(/nl\.blocks$/)
  const fd = fs.openSync(file, 'r+')
  fs.writeSync(fd, Buffer.from([1]), 0, 1, 4000)
  fs.closeSync(fd)
  assert.ok(await ask(sources.current(), 'nl', '31600000001'))
  numbers.clock.advance(600_000)
  await assert.rejects(ask(sources.current(), 'nl', '31600000001'), /checksum of block 0 does not match/)
})
