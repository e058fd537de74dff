import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { estimate, figures, usualTraffic } from './estimate.ts'
import { measured } from './figures.ts'

const program = fileURLToPath(new URL('../size.ts', import.meta.url))
const size = (...options: string[]) => spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' })

test('every figure of an estimate is a positive number of a benchmark', () => {
  for (const [name, value] of Object.entries(figures())) assert.ok(value > 0 && Number.isFinite(value), name)
})

test('names a row that the benchmarks do not have, instead of guessing', () => {
  assert.throws(() => measured('tokens', 'Token verification', 'Oracle', 'ms'), /has no row "Oracle" \(ms\)/)
  assert.throws(() => measured('none', '', '', ''), /has no benchmark none/)
})

test('ten times the users store ten times as much, and need no fewer machines', () => {
  const small = estimate({ users: 1e7, ...usualTraffic })
  const large = estimate({ users: 1e8, ...usualTraffic })
  assert.ok(Math.abs(large.storeBytes / small.storeBytes - 10) < 1e-6)
  assert.ok(large.servers > small.servers && large.postgresCores >= small.postgresCores)
  assert.ok(small.servers >= 2, 'one may fail')
  const users = large.bottlenecks.map((bottleneck) => bottleneck.users)
  assert.deepEqual(
    users,
    users.toSorted((a, b) => a - b),
    'the first bottleneck comes first',
  )
})

test('traffic without visits stores no devices', () => {
  const { storeBytes, visits } = estimate({ users: 1000, checks: 10, signIns: 0, visits: 0 })
  assert.equal(visits, 0)
  assert.equal(storeBytes, 700_000)
})

test('prints an estimate, and says what is wrong with an option', () => {
  assert.match(size('--users', '10e6', '--visits', '30').stdout, /Ringfence servers, one core each +\d+\n/)
  for (const options of [
    [],
    ['--users', 'many'],
    ['--users', '-1'],
    ['--users', '1e6', '--visits', 'x'],
    ['--user', '1'],
  ]) {
    const { status, stderr } = size(...options)
    assert.equal(status, 2, options.join(' '))
    assert.match(stderr, /--user/)
  }
})
