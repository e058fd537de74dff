import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readRuleFile } from '../rule-file.ts'
import { defaultRules } from './default-rules.ts'

const asksForProof = /confirm (that it is you|this payment)|one more step|in another way/i

test('every default rule has a message for the user, which does not reveal what was detected', () => {
  assert.ok(defaultRules.rules.length > 10)
  for (const { id, message } of defaultRules.rules) {
    assert.match(message ?? '', /^[A-Z].{20,158}\.$/, id)
    assert.doesNotMatch(
      message!,
      /bot|hook|tamper|jail|root|emulat|simulat|clone|swap|forward|fraud|risk|VPN|proxy/i,
      id,
    )
  }
})

test('only the message of a CHALLENGE asks for a proof, in the default rules and in the guides', () => {
  const guides = new URL('../../../../docs/guides/', import.meta.url)
  const ofGuides = readdirSync(guides).flatMap((name) =>
    [...readFileSync(new URL(name, guides), 'utf8').matchAll(/```yaml\n(.*?)```/gs)].flatMap(
      ([, text]) => readRuleFile(text!).ruleSet.rules,
    ),
  )
  assert.ok(ofGuides.length > 5)
  for (const { id, action, message = '' } of [...defaultRules.rules, ...ofGuides]) {
    if (action !== 'CHALLENGE') assert.doesNotMatch(message, asksForProof, id)
  }
  const challenges = defaultRules.rules.filter(({ action }) => action === 'CHALLENGE')
  assert.ok(challenges.length > 2)
  for (const { id, message = '' } of challenges) assert.match(message, asksForProof, id)
})
