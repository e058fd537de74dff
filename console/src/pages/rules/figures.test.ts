import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, figuresOf } from './figures.ts'

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
