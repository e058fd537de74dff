// Does the queue sort by what a reviewer chooses, and does a row say how much is at stake?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueuedReview } from '../../api/types.ts'
import { amountOf, numericParams, ordered, rulesOf } from './order.ts'

const review = (decisionId: string, more: object) =>
  ({ decisionId, score: 0, state: 'open', ...more }) as unknown as QueuedReview
const rows = [
  review('a', { score: 40, ruleName: 'Large payment', params: { amount: 900, currency: 'EUR', items: 3 } }),
  review('b', { score: 80, ruleName: 'Álvarez', params: { amount: '41000.5', currency: 'INR' } }),
  review('c', { score: 40, params: { payee: '<b>x</b>' } }),
]
const idsBy = (order: string) => ordered(rows, order).map(({ decisionId }) => decisionId)

test('by age the order is that of the service', () => assert.deepEqual(idsBy('age'), ['a', 'b', 'c']))

test('by risk the highest score comes first, and equal ones stay as they are', () =>
  assert.deepEqual(idsBy('risk'), ['b', 'a', 'c']))

test('by amount the largest comes first, also one sent as a text, and rows without it come last', () => {
  assert.deepEqual(idsBy('params.amount'), ['b', 'a', 'c'])
  assert.deepEqual(idsBy('params.items'), ['a', 'b', 'c'])
})

test('params that are numbers can be chosen, the amount first; texts cannot', () => {
  assert.deepEqual(numericParams(rows), ['amount', 'items'])
  assert.deepEqual(numericParams([rows[2]!]), [])
})

test('rules are named once, in the order of the language', () =>
  assert.deepEqual(rulesOf([...rows, rows[0]!]), ['Álvarez', 'Large payment']))

test('a row shows its amount with the currency, else its first number, else nothing', () => {
  assert.match(amountOf(rows[0]!, 'age')!, /^(€\s?900|900\s?€)$/)
  const half = review('f', { params: { amount: 900.5, currency: 'EUR' } })
  assert.match(amountOf(half, 'age')!, /^(€\s?900\.50|900,50\s?€)$/)
  assert.equal(amountOf(review('d', { params: { amount: 5, currency: 'points' } }), 'age'), '5 points')
  assert.equal(amountOf(review('e', { params: { items: 3 } }), 'age'), 'items 3')
  assert.equal(amountOf(rows[0]!, 'params.items'), 'items 3')
  assert.equal(amountOf(rows[2]!, 'age'), undefined)
})
