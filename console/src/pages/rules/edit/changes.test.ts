import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './changes.ts'

const rule = (id: string, when: string) => ({ id, name: `Rule ${id}`, when, action: 'WARN' as const, score: 1 })
const cards = { distinct: 'params.card', per: 'user', within: '24h' }
const base = {
  rules: [rule('a', 'vpn'), rule('b', 'proxy'), rule('c', 'tor')],
  velocities: { cards },
  requirements: { otherwise: 'REVIEW' },
}

test('counts each rule, velocity and the requirements once', () => {
  const now = {
    rules: [rule('new', 'vpn'), rule('a', 'vpn'), rule('b', 'proxy and vpn')],
    velocities: { cards: { ...cards, within: '1h' }, more: cards },
    requirements: { otherwise: 'BLOCK' },
  }
  const changes = changesOf(base, now)
  assert.deepEqual(
    [...changes.rules],
    [
      ['new', 'added'],
      ['b', 'changed'],
    ],
  )
  assert.deepEqual(changes.removed, ['Rule c'])
  assert.deepEqual([changes.velocities, changes.requirements, changes.count], [2, true, 6])
})

test('finds nothing where nothing was changed, and before the base was read', () => {
  assert.equal(changesOf(base, structuredClone(base)).count, 0)
  assert.equal(changesOf(undefined, base).count, 0)
})
