// Do the rules of the guide still catch what it claims? A short fraud story; docs/fraud-story.md has the long one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesOfGuide } from './guide-rules.ts'
import { caughtAttacks, disturbed, measuredRules } from './measure.ts'
import { play } from './play.ts'
import { storyOf } from './story.ts'

const short = { seed: 15, scale: 0.03 }

/** Of the decisions that a guide claims. The account of a customer who proves nothing for weeks has no last place. */
const leastRecall = {
  ...{ 'bad-bot': 1, 'swapped-sim': 1, 'swapped-sim-new-device': 1, 'calls-forwarded': 1 },
  ...{ 'new-device-for-account': 0.9, 'impossible-travel': 0.6 },
  ...{ 'many-users-on-device': 0.9, 'large-payment-after-swap': 1 },
  ...{ 'stolen-card': 1, 'card-testing': 1, 'mule-account': 1 },
  ...{ 'led-payment': 1, 'payment-during-call': 1 },
}

test('rules of docs/guides/fraud-rules.md, and the default rules, catch the attacks that they claim', async (t) => {
  const ruleSet = rulesOfGuide()
  const { rules, velocities = [] } = ruleSet
  assert.ok(velocities.length > 0)
  const { sessions } = await play(storyOf(short), ruleSet, { ending: t })
  const measured = measuredRules(sessions, Object.keys(leastRecall))
  for (const { id, claimed, caught } of measured) {
    assert.ok(rules.some((rule) => rule.id === id))
    assert.ok(claimed >= 2, `the story has ${claimed} decisions that ${id} claims: add the attack to attacks.ts`)
    const recall = caught / claimed
    assert.ok(recall >= leastRecall[id as keyof typeof leastRecall], `${id} fired at ${caught} of ${claimed} decisions`)
  }
  const led = caughtAttacks(sessions).find(({ attack }) => attack === 'led with remote access')!
  assert.equal(led.reviewed, led.sessions, 'a led payment waits for a person')
  const inApp = disturbed(sessions).filter(({ circumstance }) => circumstance.startsWith('in the app'))
  assert.ok(inApp.length >= 4, 'callers, remote access for work, accessibility services and nothing of it')
  for (const { circumstance, blocked } of inApp) assert.equal(blocked, 0, circumstance)
  const { sessions: quiet, challenged, reviewed } = inApp.find(({ circumstance }) => circumstance === 'in the app')!
  assert.deepEqual([quiet > 50, challenged, reviewed], [true, 0, 0], 'no sign on the phone, no challenge')
  const inOrdinary = Map.groupBy(disturbed(sessions), ({ circumstance }) => circumstance)
  const [usual] = inOrdinary.get('usual device')!
  const [first] = inOrdinary.get('first visit')!
  assert.ok(usual!.sessions > 100 && usual!.challenged + usual!.blocked <= usual!.sessions / 10, JSON.stringify(usual))
  assert.ok(first!.challenged + first!.blocked <= first!.sessions / 10, JSON.stringify(first))
})
