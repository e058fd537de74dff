import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, figuresOf, inShadowOf, isSilent, withShadow } from './figures.ts'

const quiet = {
  rule: 'a',
  byDay: Array<number>(30).fill(0),
  decided: 0,
  bad: 0,
  good: 0,
  goodStopped: 0,
  overturned: 0,
}

test('sums seven days, the seven before and thirty, and the share of bad ones among those with a label', () => {
  const byDay = quiet.byDay.with(29, 3).with(23, 1).with(22, 2).with(0, 5)
  const figures = figuresOf({ ...quiet, byDay, bad: 1, good: 3 })
  assert.deepEqual([figures.week, figures.weekBefore, figures.month], [4, 2, 11])
  assert.equal(figures.badShare, 0.25)
  assert.equal(changeOf(figures), 1)
})

test('guesses no share without a label, and no change from nothing', () => {
  const figures = figuresOf({ ...quiet, byDay: quiet.byDay.with(29, 3) })
  assert.equal(figures.badShare, undefined)
  assert.equal(changeOf(figures), undefined)
})

test('a rule is in shadow where the version in shadow is shown, and everywhere when only that one has it', () => {
  const compared = {
    ...{ version: 7, decisions: 40, same: 38, changes: [] },
    rules: [
      { rule: 'new', isNew: true, fired: 3, otherwise: 2 },
      { rule: 'stricter', isNew: false, fired: 0, otherwise: 0 },
    ],
  }
  const seen = { decisions: 40, fired: 3, otherwise: 2 }
  assert.deepEqual([inShadowOf('new', 7, compared), inShadowOf('new', 8, compared)], [seen, seen])
  assert.deepEqual(inShadowOf('stricter', 7, compared), { decisions: 40, fired: 0, otherwise: 0 })
  assert.deepEqual([inShadowOf('stricter', 6, compared), inShadowOf('same', 7, compared)], [undefined, undefined])
  assert.equal(inShadowOf('new', 7, { decisions: 0, same: 0, changes: [] }), undefined, 'none is in shadow')
})

test('a rule in shadow is silent when it would not have fired, which nobody knows before the first decision', () => {
  const inShadow = (decisions: number, fired: number) =>
    isSilent({ week: 0, shadow: { decisions, fired, otherwise: 0 } })
  assert.deepEqual([inShadow(0, 0), inShadow(40, 1), inShadow(40, 0)], [false, false, true])
  assert.deepEqual([isSilent({ week: 0 }), isSilent({ week: 1 })], [true, false])
})

test('what was measured is shown before the comparison is read, and nothing is silent until then', () => {
  const measured = figuresOf({ ...quiet, byDay: quiet.byDay.with(0, 3) })
  const compared = { ...{ version: 7, decisions: 40, same: 40, changes: [] } }
  const rules = [{ rule: 'new', isNew: true, fired: 2, otherwise: 0 }]
  assert.deepEqual(withShadow(measured, 'new', 7, undefined), measured)
  assert.equal(measured.isSilent, undefined)
  const { isSilent: isSilentThere, shadow } = withShadow(measured, 'new', 7, { ...compared, rules })
  assert.deepEqual([isSilentThere, shadow?.fired], [false, 2])
  assert.deepEqual(withShadow(measured, 'other', 7, { ...compared, rules }), { ...measured, isSilent: true })
})
