import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simCardsOf, simOfReport } from './sim-cards.ts'

test('reads each card in the form of operators and countries, and leaves out what Android leaves empty', () => {
  const cards = [
    { networkCode: '40445', carrier: 'airtel', country: 'in' },
    { networkCode: '310260', carrier: '', country: '' },
  ]
  assert.deepEqual(simCardsOf({ sim: { slots: 2, inserted: 2, cards } }), {
    ...{ slots: 2, inserted: 2 },
    cards: [{ networkCode: '404-45', carrier: 'airtel', country: 'IN' }, { networkCode: '310-260' }],
  })
  for (const networkCode of ['', '4044', '4044512', 'abcde'])
    assert.deepEqual(simCardsOf({ sim: { cards: [{ networkCode, country: 'i1' }] } }), { cards: [{}] }, networkCode)
})

test('a phone without a card has none, and one that reports nothing is not known', () => {
  assert.deepEqual(simCardsOf({ sim: { slots: 1, inserted: 0 } }), { slots: 1, inserted: 0, cards: [] })
  assert.equal(simCardsOf({ sim: {} }), undefined)
  assert.equal(simCardsOf({ sim: { cards: [] } }), undefined)
  assert.equal(simCardsOf({}), undefined)
})

test('the report has the counts and the first card', () => {
  const sim = { slots: 2, inserted: 2, cards: [{ country: 'IN', carrier: 'airtel' }, { country: 'FR' }] }
  assert.deepEqual(simOfReport(sim), { slots: 2, inserted: 2, country: 'IN', carrier: 'airtel' })
  assert.deepEqual(simOfReport({ slots: 1, cards: [] }), { slots: 1 })
})
