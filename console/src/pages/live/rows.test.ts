import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundEvent } from '../../api/types.ts'
import { mostRows, noRows, withEvents } from './rows.ts'

const event = (id: string): FoundEvent => ({ id, type: 'token.revoked', timestamp: '', data: {} })
const ids = (events: readonly FoundEvent[]) => events.map(({ id }) => id).join('')

test('shows each event once, the newest first, in whichever order they come', () => {
  const rows = withEvents(withEvents(noRows, ['b', 'd'].map(event), false), ['c', 'd', 'a'].map(event), false)
  assert.equal(ids(rows.shown), 'dcba')
})

test('while rows stand still, what comes is counted, and shown when they move', () => {
  const held = withEvents(withEvents(noRows, [event('a')], false), ['b', 'c', 'b'].map(event), true)
  assert.deepEqual([ids(held.shown), ids(held.waiting)], ['a', 'cb'])
  const moved = withEvents(held, [], false)
  assert.deepEqual([ids(moved.shown), ids(moved.waiting)], ['cba', ''])
})

test('nothing new is no new rows, so that nothing is drawn again', () => {
  const rows = withEvents(noRows, [event('a')], false)
  assert.equal(withEvents(rows, [event('a')], false), rows)
  assert.equal(withEvents(rows, [event('a')], true), rows)
})

test('has a bounded number of rows, also while they stand still', () => {
  const many = Array.from({ length: mostRows + 5 }, (_, i) => event(String(i).padStart(6, '0')))
  assert.equal(withEvents(noRows, many, false).shown.length, mostRows)
  assert.equal(withEvents(noRows, many, true).waiting.length, mostRows)
  assert.equal(withEvents(noRows, many, false).shown[0]!.id, many.at(-1)!.id)
})
