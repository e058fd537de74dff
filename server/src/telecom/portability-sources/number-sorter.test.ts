import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { NumberSorter } from './number-sorter.ts'

async function sorted(
  t: TestContext,
  rows: Iterable<[number, number]>,
  sample: number[],
  expectedRows: number,
  rowsPerPart?: number,
) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringfence-sorter-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const scratch = path.join(folder, 'scratch')
  const sorter = new NumberSorter(scratch, Float64Array.from(sample).sort(), expectedRows, rowsPerPart)
  try {
    for (const [number, value] of rows) sorter.add(number, value)
    const taken: [number, number][] = []
    await sorter.drain(
      (number, value) => taken.push([number, value]),
      async () => {},
    )
    return { taken, parts: sorter.parts, bytes: fs.statSync(scratch).size }
  } finally {
    sorter.close()
  }
}

function naive(rows: readonly [number, number][]): [number, number][] {
  return [...new Map(rows)].sort(([a], [b]) => a - b)
}

test('returns rows by number, and of equal numbers the last one added', async (t) => {
  const number = fc.oneof(
    fc.integer({ min: 10_000, max: 10_050 }),
    fc.integer({ min: 10_000, max: 999_999_999_999_999 }),
  )
  const row = fc.tuple(number, fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 200 }), fc.array(number, { maxLength: 20 }), async (rows, sample) => {
      const { taken } = await sorted(t, rows, sample, 5_000_000)
      assert.deepEqual(taken, naive(rows))
    }),
    { numRuns: 60 },
  )
})

test('writes parts that exceed the memory to disk and reads them back in order', async (t) => {
  const rows = Array.from({ length: 30_000 }, (_, i): [number, number] => [31_000_000_000 + ((i * 7919) % 20_000), i])
  const sample = rows.map(([number]) => number).slice(0, 500)
  const { taken, parts } = await sorted(t, rows, sample, 1_500_000)
  assert.equal(parts, 3)
  assert.deepEqual(taken, naive(rows))
})

test('halves a part until its span fits the sort keys', async (t) => {
  // 2¹⁵ + 1 rows need 16 bits for their places, 10¹⁵ needs 50: two more than there are.
  const rows = Array.from({ length: 32_769 }, (_, i): [number, number] => [
    10 ** 14 + ((i * 40_503) % 32_000) * 28e9,
    i,
  ])
  const { taken } = await sorted(t, rows, [], 1)
  assert.deepEqual(taken, naive(rows))
})

test('divides a part that the sample did not foresee, whatever rows come in whatever order', async (t) => {
  const number = fc.integer({ min: 10_000, max: 10_300 })
  const row = fc.tuple(number, fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 50, maxLength: 600 }),
      fc.array(number, { maxLength: 5 }),
      async (rows, sample) => {
        const { taken, parts } = await sorted(t, rows, sample, 20, 10)
        assert.deepEqual(taken, naive(rows))
        assert.ok(parts >= taken.length / 40, `${parts} parts of at most 40 rows for ${taken.length}`)
      },
    ),
    { numRuns: 40 },
  )
})

test('takes no more room for rows that repeat, however many there are', async (t) => {
  function* repeated(): Generator<[number, number]> {
    for (let i = 0; i < 1_000_000; i++) yield [31_612_345_678 + (i % 3), i]
  }
  const { taken, bytes } = await sorted(t, repeated(), [31_612_345_678], 1_000_000, 8192)
  assert.deepEqual(taken, [
    [31_612_345_678, 999_999],
    [31_612_345_679, 999_997],
    [31_612_345_680, 999_998],
  ])
  assert.ok(bytes <= 2 * 4 * 8192 * 12, `${bytes} bytes of the scratch file, for parts of at most 32,768 rows`)
})
