import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { disappointments } from './judge.ts'
import { scenarios } from './list.ts'
import { openPlay } from './play.ts'

/** One of each kind, of those that are there within seconds. */
const quick = [
  'chromium-ordinary',
  'chromium-incognito',
  'chromium-elsewhere',
  'chromium-user-agent-flag',
  'chromium-headless-clean-user-agent',
  'playwright-headless',
  'playwright-automation-controlled-off',
]

test('real browsers of this machine are judged as expected', async (t) => {
  const wanted = scenarios.filter(({ name }) => quick.includes(name))
  assert.equal(wanted.length, quick.length)
  const missing = [...new Set(wanted.flatMap(({ needs }) => needs))].filter((program) => !existsSync(program))
  if (missing.length > 0) return t.skip(`${missing.join(', ')} is not on this machine`)
  const play = await openPlay()
  t.after(play.close)
  for (const scenario of wanted) {
    await t.test(scenario.name, async () => {
      const { judgement } = await play.run(scenario)
      assert.deepEqual(disappointments(scenario.expected, judgement), [], JSON.stringify(judgement.grounds))
    })
  }
})
