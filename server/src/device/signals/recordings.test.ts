import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WebFacts } from '@ringfence/contract'
import { Value } from 'typebox/value'
import { recordings } from '../testdata/recordings.ts'
import { judgeAll } from './judge.ts'

describe('judges the recordings of real browsers as expected', () => {
  for (const { name, expected, evidence } of recordings()) {
    test(name, () => {
      assert.ok(Value.Check(WebFacts, evidence.facts), 'the facts are of the contract')
      const { verdicts, reasons } = judgeAll(evidence)
      const results: Record<string, unknown> = {
        bot: verdicts.bot?.result,
        botCategory: verdicts.bot?.category,
        incognito: verdicts.incognito,
        privacySettings: verdicts.privacySettings?.result,
        developerTools: verdicts.developerTools?.result,
        virtualMachine: verdicts.virtualMachine?.result,
        tampering: verdicts.tampering?.result,
        timezoneMismatch: verdicts.vpn?.methods.timezoneMismatch,
      }
      for (const [detector, verdict] of Object.entries(expected)) {
        const text = `${detector}: ${JSON.stringify(reasons)}`
        if (verdict === 'notTrue') assert.notEqual(results[detector], true, text)
        else assert.equal(results[detector], verdict, text)
      }
    })
  }
})

test('an ordinary browser gives no reason at all, so none is near a threshold', () => {
  const ordinary = recordings().filter(({ name }) =>
    /-(ordinary|open-port|on-ram-disk|large-type|small-window|german)$/.test(name),
  )
  assert.ok(ordinary.length >= 8)
  for (const { name, evidence } of ordinary) {
    const { verdicts, reasons } = judgeAll(evidence)
    assert.deepEqual(reasons.bot, [], name)
    assert.deepEqual(reasons.tampering, [], name)
    assert.equal(verdicts.suspectScore?.result, 0, name)
  }
})

test('an ordinary browser without any one of its facts is not suspicious', () => {
  for (const { name, evidence } of recordings().filter((recording) => recording.name.endsWith('-ordinary'))) {
    for (const missing of Object.keys(evidence.facts)) {
      const { [missing as keyof WebFacts]: _, ...facts } = evidence.facts
      assert.equal(judgeAll({ ...evidence, facts }).verdicts.suspectScore?.result, 0, `${name} without ${missing}`)
    }
  }
})
