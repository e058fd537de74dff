import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../core/errors.ts'
import { runningBacktests } from './running-backtests.ts'

const isBusy = (error: unknown) => error instanceof Refusal && error.failure === 'backtestsBusy'

test('one backtest of a tenant at a time and two of a server: a tenant does not keep all others waiting', async () => {
  const running = runningBacktests()
  const ends = new Map<string, () => void>()
  const begin = (id: string, tenantId: string) =>
    running.begin(id, tenantId, () => new Promise((resolve) => void ends.set(id, resolve)))
  begin('a1', 'a')
  assert.throws(() => begin('a2', 'a'), isBusy)
  begin('b1', 'b')
  assert.throws(() => begin('c1', 'c'), isBusy)
  ends.get('a1')!()
  await new Promise(setImmediate)
  begin('a2', 'a')
  for (const end of ends.values()) end()
  await running.close()
})
