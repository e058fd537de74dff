// Is a text from outside always written, also when Intl does not know it?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { country, dayText, moneyText } from './format.ts'
import { localeOf } from './locale.ts'

test('a country has its name; what is no code stays as it is, and an empty one is not known', () => {
  assert.deepEqual(['IN', 'XX'].map(country), ['India', 'XX'])
  assert.deepEqual(['T1', 'A1', 'in', 'Testland', 'I', '-'].map(country), ['T1', 'A1', 'in', 'Testland', 'I', '-'])
  assert.deepEqual(['', undefined].map(country), [undefined, undefined])
})

test('an amount is written in any currency', () => {
  assert.match(moneyText(41_000, 'INR'), /^₹/)
  assert.match(moneyText(5, 'XQZ'), /XQZ/)
  for (const currency of ['', 'T1', 'U$D', 'points']) assert.equal(moneyText(5, currency), `5 ${currency}`)
})

test('a day is written, and what is no time stays as it is', () => {
  assert.match(dayText('2026-11-29T23:30:00Z'), /29/)
  assert.deepEqual(['', 'soon', '2026-13-45'].map(dayText), ['', 'soon', '2026-13-45'])
})

test('numbers are written as the browser says, unless its language has no name that Intl takes', () => {
  assert.deepEqual(['de-CH', 'en-IN'].map(localeOf), ['de-CH', 'en-IN'])
  assert.deepEqual(['en-US@posix', 'C.UTF-8', '', undefined].map(localeOf), ['en', 'en', 'en', 'en'])
})
