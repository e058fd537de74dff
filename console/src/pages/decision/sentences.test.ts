// Is the headline of a verdict its first sentence, whatever a rule is called?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf } from './sentences.ts'

const because = 'Blocked by Many cards. Really: 14 cards in 24 hours, limit 3.'
const change = 'Without this rule it would have been allowed.'

test('the headline is what decided, and what would have changed it follows', () => {
  assert.deepEqual(sentencesOf(`${because} Not known: SIM swap (operator timed out). ${change}`), {
    headline: because,
    rest: change,
  })
  assert.deepEqual(sentencesOf(`${because} ${change}`), { headline: because, rest: change })
})

test('a verdict of one sentence is the headline', () => {
  assert.deepEqual(sentencesOf('Allowed: no rule fired.'), { headline: 'Allowed: no rule fired.', rest: '' })
})

test('no sentence is lost, except what is not known, which has its own place', () => {
  const nobody = 'Nobody could pass a challenge, so a person has to look.'
  const known = 'With device report known and clear, it would have been allowed.'
  const head = 'Sent to review because something required is not known: device report (not given).'
  assert.deepEqual(sentencesOf(`${head} ${nobody} ${known}`), { headline: head, rest: `${nobody} ${known}` })
})
