import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telecomChecks } from '@ringfence/contract'
import { comparedText, filledIn, orderedChecks } from './checks.ts'

test('a person can order each check whose question needs nothing but the number', () => {
  assert.deepEqual(orderedChecks.toSorted(), [...telecomChecks, 'kycMatch'].toSorted())
})

test('a KYC match says of each field that was typed whether it matches, and leaves out empty ones', () => {
  const sent = filledIn({ name: 'Asha Roa', birthdate: '1978-08-22', address: ' ', email: 'a@shop.example' })
  assert.deepEqual(Object.keys(sent), ['name', 'birthdate', 'email'])
  assert.equal(
    comparedText(sent, { name: { match: false, score: 98 }, birthdate: { match: true } }),
    'Name does not match (similarity 98 of 100). Birth date matches. Email is not known to the operator.',
  )
})
