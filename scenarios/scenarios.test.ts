import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNotInstalled } from '../scripts/debian-packages.ts'
import { conditions, strangers } from './conditions.ts'
import { openIdentity } from './identity.ts'
import { disappointments } from './judge.ts'
import { scenarios } from './list.ts'
import { advice, lacking, packagesOf } from './machine.ts'
import { openPlay } from './play.ts'

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
  const missing = lacking([...new Set(wanted.flatMap(({ needs }) => needs))])
  const reason = missing.length > 0 ? await whyNotInstalled(...packagesOf(missing)) : undefined
  if (reason !== undefined) return t.skip(`${missing.join(', ')} is not on this machine: ${reason}`)
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
  const names = [...scenarios, ...conditions, ...strangers].map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.equal(conditions.length, 33)
})

test('names a missing program and the package that contains it', () => {
  assert.deepEqual(lacking(['/usr/bin/env', '/usr/bin/no-such-browser']), ['/usr/bin/no-such-browser'])
  assert.match(advice(['/usr/bin/chromedriver', '/usr/bin/Xvfb']), /apt-get install chromium-driver xvfb$/)
})
