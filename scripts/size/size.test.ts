import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { estimate, figures, peak, usualTraffic, utilisation } from './estimate.ts'
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

test('servers are as many as a tenant with an app, rules and a webhook needs', () => {
  const busyCores = 100
  for (const [action, what] of [
    ['checks', 'SIM swap check, one call of the operator, 64 at once'],
    ['visits', 'device visit, engine call to report, 64 at once'],
  ] as const) {
    const perSecond = busyCores / (measured('customer', 'One request of a customer', what, 'µs of CPU') / 1e6)
    const users = (perSecond * 30 * 86_400) / peak
    const { servers } = estimate({ users, checks: 0, signIns: 0, visits: 0, [action]: 1 })
    const needed = busyCores / utilisation + 1
    // A tenth of the visits come from new devices, which are dearer.
    assert.ok(servers >= needed && servers < 1.1 * needed, `${action}: ${servers}`)
  }
})

test('the log of PostgreSQL is that of the measured visits', () => {
  const { logBytesPerDay, compressedLogBytesPerDay } = estimate({ users: 3e6, checks: 0, signIns: 0, visits: 10 })
  const bytesOf = (row: string) => measured('filled', 'Write-ahead log and events of a request', row, 'bytes')
  const visitsOf = (compression: string) =>
    1e6 *
    (0.9 * bytesOf(`visit, 1,000,000 in 30 days, wal_compression = ${compression}`) +
      0.1 * bytesOf(`visit of a new device, wal_compression = ${compression}`))
  assert.deepEqual([logBytesPerDay, compressedLogBytesPerDay], [visitsOf('off'), visitsOf('on')])
})

test('traffic without visits stores no devices', () => {
  const { storeBytes, visits } = estimate({ users: 1000, checks: 10, signIns: 0, visits: 0 })
  assert.equal(visits, 0)
  assert.equal(storeBytes, 1000 * measured('filled', 'Held by PostgreSQL', 'user', 'bytes'))
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
