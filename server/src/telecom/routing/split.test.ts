import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitByWeight } from './split.ts'

const numbers = Array.from({ length: 10_000 }, (_, index) => String(917_020_000_000 + index * 37))
const firstOf = (routes: Parameters<typeof splitByWeight>[0], digits: string) => splitByWeight(routes, digits)[0]!.name
const acme = { name: 'acme', weight: 3 }
const hub = { name: 'hub', weight: 1 }

test('numbers are shared in proportion to the weights', () => {
  const share = numbers.filter((digits) => firstOf([acme, hub], digits) === 'acme').length / numbers.length
  assert.ok(share > 0.73 && share < 0.77, String(share))
})

test('the same number has the same order, however the list is written', () => {
  for (const digits of numbers.slice(0, 100)) {
    assert.equal(firstOf([acme, hub], digits), firstOf([hub, acme], digits))
  }
})

test('another connector takes numbers from each, and moves none between the others', () => {
  for (const digits of numbers.slice(0, 1000)) {
    const first = firstOf([acme, hub, { name: 'spare', weight: 2 }], digits)
    if (first !== 'spare') assert.equal(first, firstOf([acme, hub], digits))
  }
})

test('entries without a weight stay where they are, between groups of neighbours', () => {
  const routes = [{ name: 'first' }, acme, hub, { name: 'last' }]
  for (const digits of numbers.slice(0, 100)) {
    const [first, second, third, last] = splitByWeight(routes, digits).map(({ name }) => name)
    assert.deepEqual([first, last, [second, third].toSorted()], ['first', 'last', ['acme', 'hub']])
  }
})
