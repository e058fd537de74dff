import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { whyMissing } from '../../scripts/debian-packages.ts'
import { conditionsAgain, strangersAgain } from './circumstances.ts'
import { conditions, strangers } from './conditions.ts'
import { openIdentity } from './identity.ts'
import { disappointments } from './judge.ts'
import { scenarios } from './list.ts'
import { advice, lacking, packagesOf } from './machine.ts'
import { openPlay } from './play.ts'
import { openSlowMachine, whyNotSlow } from './slow-machine.ts'

/** One of each kind that takes only seconds. */
const quick = [
  'chromium-ordinary',
  'chromium-incognito',
  'chromium-elsewhere',
  'chromium-user-agent-flag',
  'chromium-headless-clean-user-agent',
  'playwright-headless',
  'playwright-automation-controlled-off',
]

test('judges real browsers of this machine as expected', async (t) => {
  const wanted = scenarios.filter(({ name }) => quick.includes(name))
  assert.equal(wanted.length, quick.length)
  const missing = () => lacking([...new Set(wanted.flatMap(({ needs }) => needs))])
  const reason = await whyMissing(() => missing().length === 0, ...packagesOf(missing()))
  if (reason !== undefined) return t.skip(`${missing().join(', ')} is not on this machine: ${reason}`)
  const play = await openPlay()
  t.after(play.close)
  for (const scenario of wanted) {
    await t.test(scenario.name, async () => {
      const { judgement } = await play.run(scenario)
      assert.deepEqual(disappointments(scenario.expected, judgement), [], JSON.stringify(judgement.reasons))
    })
  }
  await t.test(
    'keeps the id of a device in a private window and on a journey, and gives another device another id',
    async () => {
      const identity = openIdentity(play, { remove: async () => {} })
      const of = (name: string) => [...conditions, ...strangers].find((one) => one.name === name)!
      for (const name of ['chromium-private-window', 'chromium-travelling']) {
        const { kept, keptCleared, changes } = (await identity.recognise(of(name)))!
        assert.deepEqual({ kept, keptCleared }, { kept: true, keptCleared: true }, `${name}: ${changes}`)
      }
      const { kept, keptCleared, isMixedUp } = (await identity.recognise(of('chromium-of-a-stranger')))!
      assert.deepEqual({ kept, keptCleared, isMixedUp }, { kept: false, keptCleared: false, isMixedUp: false })
    },
  )
})

test('gives each scenario a unique name', () => {
  const all = [...scenarios, ...conditions, ...strangers, ...conditionsAgain, ...strangersAgain]
  const names = all.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.equal(conditions.length, 33)
})

test('names a missing program and the package that contains it', () => {
  assert.deepEqual(lacking(['/usr/bin/env', '/usr/bin/no-such-browser']), ['/usr/bin/no-such-browser'])
  assert.match(advice(['/usr/bin/chromedriver', '/usr/bin/Xvfb']), /apt-get install chromium-driver xvfb$/)
})

test('a slow machine gives a tenth of its time to a program and to everything that it starts', async (t) => {
  const reason = whyNotSlow()
  if (reason !== undefined) return t.skip(reason)
  const machine = openSlowMachine()
  t.after(machine.remove)
  // Busy for half a second by the clock on the wall; prints the seconds of CPU time.
  const busy = `const before = process.cpuUsage(), end = Date.now() + 500
    while (Date.now() < end);
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / 1e6)`
  const script = `process.stdin.once('data', () => {
    require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: 'inherit' })
    process.exit()
  })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  machine.add(child.pid!)
  machine.setSlow(true)
  child.stdin.end('begin')
  const seconds = Number(await text(child.stdout))
  assert.ok(seconds > 0 && seconds < 0.5 * 0.15 * availableParallelism(), `${seconds} s of half a second`)
})
