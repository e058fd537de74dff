// Does a replay count in typed arrays what a plain list of decisions says? For random decisions over many windows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mostUnits } from '../language/velocity-limits.ts'
import { IdTable } from './id-table.ts'
import { Distincts, type ReplayedCounts, Totals } from './replayed-counts.ts'
import { leavesAt } from './window.ts'

const minute = 60_000
const within = 10 * minute
const start = Date.parse('2026-03-01T12:00:00Z')
const hash = (text: string, number: number) => ({ low: (number * 7) | 0, high: text.charCodeAt(0) | 0 })

const decisions = fc.array(
  fc.record({
    after: fc.oneof(fc.nat(2 * minute), fc.nat(15 * minute)),
    key: fc.nat(4),
    units: fc.oneof(fc.nat(1_000), fc.maxSafeNat()),
    value: fc.nat(5),
    adds: fc.boolean(),
  }),
  { minLength: 1, maxLength: 120 },
)

interface Past {
  readonly key: number
  readonly units: number
  readonly value: number
  readonly leaves: number
}

test('counts decisions, sums and distinct values as a list of past decisions does', () => {
  fc.assert(
    fc.property(decisions, (made) => {
      const [totals, distincts]: ReplayedCounts[] = [new Totals(within), new Distincts(within)]
      let past: Past[] = []
      let at = start
      for (const { after, key, units, value, adds } of made) {
        at += after
        past = past.filter(({ leaves }) => leaves > at)
        const own = past.filter((each) => each.key === key)
        const sum = own.reduce((total, each) => total + BigInt(each.units), 0n)
        const expected = { n: own.length, units: Number(sum > mostUnits ? mostUnits : sum), isKnown: false }
        const values = new Set(own.map((each) => each.value))
        const [keyHash, valueHash] = [hash('k', key), hash('v', value)]
        const found = totals!.next(keyHash, at, adds ? { units, value: undefined } : undefined)
        assert.deepEqual(found, expected)
        assert.deepEqual(distincts!.next(keyHash, at, adds ? { units: 0, value: valueHash } : undefined), {
          n: values.size,
          units: 0,
          isKnown: adds && values.has(value),
        })
        if (adds) past.push({ key, units, value, leaves: leavesAt(at, within) })
      }
    }),
  )
})

test('memory holds only what is in the window', () => {
  const [totals, distincts] = [new Totals(within), new Distincts(within)]
  for (let i = 0; i < 100_000; i++) {
    const key = { low: Math.imul(i, 0x9e3779b1), high: i }
    totals.next(key, start + i * 1_000, { units: i, value: undefined })
    distincts.next(key, start + i * 1_000, { units: 0, value: key })
  }
  assert.ok(totals.size >= 1_200 && totals.size <= 1_320, `${totals.size}`)
  assert.ok(distincts.size >= 1_200 && distincts.size <= 1_320, `${distincts.size}`)
})

test('a table of ids finds each hash that was added and not removed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ low: fc.nat(40), high: fc.nat(3), adds: fc.boolean() }), { maxLength: 300 }),
      (steps) => {
        const table = new IdTable()
        const known = new Map<string, number>()
        for (const { low, high, adds } of steps) {
          const name = `${low} ${high}`
          const id = known.get(name)
          assert.equal(table.find(low, high), id ?? -1)
          if (adds && id === undefined) known.set(name, table.add(low, high))
          if (!adds && id !== undefined) {
            table.remove(id)
            known.delete(name)
          }
          assert.equal(table.size, known.size)
          assert.equal(new Set(known.values()).size, known.size)
        }
        for (const [name, id] of known) {
          const [low = 0, high = 0] = name.split(' ').map(Number)
          assert.equal(table.find(low, high), id)
        }
      },
    ),
  )
  const large = new IdTable()
  const ids = Array.from({ length: 5_000 }, (_, i) => large.add(Math.imul(i, 0x9e3779b1), i))
  for (const [i, id] of ids.entries()) assert.equal(large.find(Math.imul(i, 0x9e3779b1), i), id)
})
