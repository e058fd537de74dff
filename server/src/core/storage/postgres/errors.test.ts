// What does a caller, and what does the metric, learn of an error of PostgreSQL?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { StorageUnavailable, UniqueViolation } from '../database.ts'
import { SerialisationConflict } from '../transaction.ts'
import { errorOf, OutcomeUnknown, PreparedStatementLost } from './errors.ts'

function thrownFor(code: string, message = 'text') {
  const error = new DatabaseError(message, 0, 'error')
  error.code = code
  return errorOf(error)
}

test('an error of the store names its reason, and says when nobody knows whether the statement ran', () => {
  const cases = [
    ['53100', 'resources', false], // disk_full
    ['53300', 'resources', false], // too_many_connections
    ['25006', 'read_only', false], // read_only_sql_transaction
    ['57014', 'time', false], // query_canceled
    ['55P03', 'time', false], // lock_not_available
    ['25P03', 'time', false], // idle_in_transaction_session_timeout
    ['57P01', 'connection', true], // admin_shutdown
    ['08006', 'connection', true], // connection_failure
    ['40003', 'connection', true], // statement_completion_unknown
    ['28P01', 'connection', false], // invalid_password
    ['3D000', 'connection', false], // invalid_catalog_name
    ['58030', 'fault', false], // io_error
    ['XX001', 'fault', false], // data_corrupted
  ] as const
  for (const [code, reason, isUnknown] of cases) {
    const error = thrownFor(code)
    assert.ok(error instanceof StorageUnavailable, code)
    assert.deepEqual([error.reason, error instanceof OutcomeUnknown], [reason, isUnknown], code)
  }
})

test('a conflict, a duplicate and a lost prepared statement are no outage; a wrong statement stays what it is', () => {
  assert.ok(thrownFor('23505') instanceof UniqueViolation)
  for (const code of ['40001', '40P01']) {
    assert.ok(thrownFor(code) instanceof SerialisationConflict, code)
    assert.ok(!(thrownFor(code) instanceof PreparedStatementLost), code)
  }
  for (const code of ['26000', '42P05']) {
    const lost = thrownFor(code)
    assert.ok(lost instanceof PreparedStatementLost && !lost.isOldPlan, code)
  }
  const old = thrownFor('0A000', 'cached plan must not change result type')
  assert.ok(old instanceof PreparedStatementLost && old.isOldPlan)
  for (const code of ['0A000', '42601', '22P02']) {
    const error = thrownFor(code)
    assert.ok(error instanceof DatabaseError, code)
  }
})
