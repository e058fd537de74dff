import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAuditFilters, sentAuditFilters } from './filters.ts'

test('the URL of the audit page has only filters that the call takes', () => {
  const filters = { actor: 'person:1', action: 'signIn', from: '2026-11-01', to: '2026-11-30' }
  assert.deepEqual(readAuditFilters({ ...filters, other: 'x' }), filters)
  assert.deepEqual(readAuditFilters({ actor: 'maya', action: 'a b', from: 'yesterday', to: '2026-99-99' }), {})
  assert.deepEqual(readAuditFilters({ action: 7, from: null }), {})
})

test('a day begins at midnight of the person, and the last day counts as a whole', () => {
  assert.deepEqual(sentAuditFilters({ from: '2026-11-30', to: '2026-11-30' }), {
    from: new Date(2026, 10, 30).toISOString(),
    to: new Date(2026, 11, 1).toISOString(),
  })
  assert.deepEqual(sentAuditFilters({ action: 'signIn' }), { action: 'signIn' })
})
