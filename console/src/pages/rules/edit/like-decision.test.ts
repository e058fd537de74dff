import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EvaluatedRule, RuleVocabulary } from '../../../api/types.ts'
import { likeDecision, readingList } from './like-decision.ts'

const words = {
  paths: ['action', 'vpn', 'account.newCountry'].map((path) => ({ path, kind: 'any', description: '' })),
  openParts: [{ prefix: 'params.', kind: 'any', description: '' }],
  operators: [],
  velocityKeys: [],
  lists: [{ name: 'mules', kind: 'phoneNumber', paths: ['request.phoneNumber', 'phoneNumber'] }],
} satisfies RuleVocabulary

const rule = (id: string, state: 'fired' | 'nearly', ...texts: string[]): EvaluatedRule => ({
  ...{ id, name: id, action: 'BLOCK', when: '', state },
  conditions: [
    ...texts.map((text) => ({ text, holds: true, values: {} })),
    { text: 'isEmulator', holds: false, values: {} },
  ],
})
const subject = { operation: 'PAYMENT', params: { amount: 41_000, card: 'c-1', 'a b': 1, basket: {} } }

test('takes what held in the rules that fired, the decisive one first, with velocities, history and params', () => {
  const cards = 'velocity.cardsOfDevice > 3'
  const started = likeDecision(
    {
      subject,
      rules: { version: 3, fired: ['new', 'cards'], decisive: 'cards' },
      evaluated: [
        rule('new', 'fired', 'history.device.accounts >= 2', cards),
        rule('cards', 'fired', cards, 'params.amount > 1000'),
        rule('near', 'nearly', 'vpn'),
      ],
    },
    words,
  )
  assert.deepEqual(started, {
    when: `action == "PAYMENT" and ${cards} and params.amount > 1000 and history.device.accounts >= 2`,
  })
})

test('takes what was known where no rule fired, also params', () => {
  const started = likeDecision(
    { subject, rules: { version: 0, fired: [] }, account: { newCountry: true, rareCountry: false } },
    words,
  )
  assert.deepEqual(started, {
    tree: {
      op: 'all',
      of: [
        { op: '==', path: 'action', value: 'PAYMENT' },
        { op: '==', path: 'account.newCountry', value: true },
        { op: '>=', path: 'params.amount', value: 41_000 },
        { op: '==', path: 'params.card', value: 'c-1' },
      ],
    },
  })
})

test('leaves a condition to be chosen where only the operation is known: such a rule would block everybody', () => {
  const started = likeDecision({ subject: { operation: 'LOGIN' }, rules: { version: 0, fired: [] } }, words)
  assert.deepEqual(started, {
    tree: {
      op: 'all',
      of: [
        { op: '==', path: 'action', value: 'LOGIN' },
        { op: '==', path: '', value: true },
      ],
    },
  })
})

test('reads a list by the first path that fits its kind', () => {
  assert.deepEqual(readingList('mules', words), { tree: { op: 'inList', path: 'request.phoneNumber', list: 'mules' } })
})
