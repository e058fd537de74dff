// Can a person watch numbers from the command line, and see how they are watched?

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertFailed, type CommandLine, commandLine, type ServiceProcess } from '../testing.ts'

describe('ringfence watches', () => {
  let line: CommandLine
  let service: ServiceProcess
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  before(async () => {
    line = await commandLine({ after: (end) => ends.push(end) })
    service = await line.serve(['--sandbox'])
  })
  const watches = (...args: string[]) => line.run(['watches', ...args], { env: { RINGFENCE_URL: service.url } })

  test('adds, lists and removes the watch of a number', async () => {
    assert.match((await watches('list')).stdout, /^No number is watched\.\n$/)
    const added = await watches('add', '+61 491 570 156', 'simSwap', 'portability', '--days', '3', '--reference', 'c 1')
    assert.equal(added.stderr, '')
    assert.match(added.stdout, /^NUMBER +CHECK +STATE +BY +CHECKED +CHANGED +UNTIL +REFERENCE\n61491570156 +simSwap /)
    const listed = JSON.parse((await watches('list', '61491570156', '--json')).stdout)
    assert.deepEqual(
      listed[0].checks.map(({ check }: { check: string }) => check),
      ['simSwap', 'portability'],
    )
    assert.match((await watches('remove', '61491570156')).stdout, /is no longer watched/)
    assert.match((await watches('remove', '61491570156')).stdout, /was not watched/)
  })

  test('refuses a check that cannot be watched, a wrong number of days, and a number that cannot exist', async () => {
    assertFailed(await watches('add', '61491570156', 'roaming'), /no check roaming to watch/, 2)
    assertFailed(await watches('add', '61491570156', '--days', '0'), /whole number from 1 to 366/, 2)
    assertFailed(await watches('add', '1', 'simSwap'), /It is not a valid number/, 2)
  })
})
