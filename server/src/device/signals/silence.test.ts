import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Facts } from '@ringfence/contract'
import fc from 'fast-check'
import type { Evidence } from '../analysis/evidence.ts'
import { owedFacts } from '../analysis/owed-facts.ts'
import { secureInfoDetail } from '../analysis/views.ts'
import { firedWeights } from '../scores/weights.ts'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recordings } from '../testdata/recordings.ts'
import { cases, sampleOf } from '../testdata/single-changes.ts'
import { signals } from './index.ts'
import { judgeAll } from './judge.ts'
import type { Signal } from './signal.ts'

/** Every recorded browser, and a phone or browser for each single change that a signal notices. */
const evidences: readonly (readonly [name: string, evidence: Evidence])[] = [
  ...recordings().map(({ name, evidence }) => [name, evidence] as const),
  ...(['WEB', 'IOS', 'ANDROID'] as const).flatMap((platform) =>
    cases[platform].map(({ beside = {}, changes = {} }) => {
      const phone = platform === 'IOS' ? iphone() : androidPhone()
      const facts = { ...sampleOf[platform], ...beside, ...changes }
      return [
        `${platform} ${JSON.stringify(changes)}`,
        { ...phone, platform, facts, ...owedFacts({ platform, facts }) },
      ] as const
    }),
  ),
]

/** 2: something was found. 1: not known. 0: clean, which nobody may get by leaving facts out. */
function severity(signal: Signal, verdict: unknown): number {
  if (verdict === undefined) return 1
  const fires = Object.values(signal.weights ?? {}).some(({ fires }) => fires(verdict))
  if (fires || verdict === true) return 2
  const { result } =
    typeof verdict === 'object' && verdict !== null && 'result' in verdict ? verdict : { result: false }
  return result === true || result === 'bad' ? 2 : result === undefined ? 1 : 0
}

function assertNotMilder(name: string, whole: Evidence, dropped: readonly string[]) {
  const facts = Object.fromEntries(Object.entries(whole.facts).filter(([fact]) => !dropped.includes(fact)))
  assertNotMilderWith(facts, dropped.join(', '), name, whole)
}

function assertNotMilderWith(facts: Facts, dropped: string, name: string, whole: Evidence) {
  const { lacking, late } = owedFacts({ platform: whole.platform, facts })
  const silent = { ...whole, facts, lacking, late }
  const [before, after] = [judgeAll(whole), judgeAll(silent)]
  for (const signal of signals as readonly Signal[]) {
    if (!signal.platforms.includes(whole.platform)) continue
    const [was, is] = [before, after].map(({ verdicts }) => severity(signal, Reflect.get(verdicts, signal.name)))
    const text = `${signal.name} of ${name} without ${dropped}: ${was} becomes ${is}`
    // What was not known stays open: a fact less can not make it clean.
    if (is === 0) assert.equal(was, 0, text)
  }
  // Report and secure info say the same, as they show one judgement.
  const detail = secureInfoDetail({ platform: whole.platform, judgement: after })
  if (after.verdicts.tampering) assert.deepEqual(detail.tampering, after.verdicts.tampering)
  assert.equal(detail.bot?.result === 'bad', firedWeights(after.verdicts).includes('bot'))
}

/** A fact that says less, with what was left out. */
function lessOf(fact: string, value: unknown): [dropped: string, less: unknown][] {
  if (typeof value === 'string') return [[`the text of ${fact}`, '']]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const parts = Object.entries(value)
  return [
    [`all parts of ${fact}`, {}],
    ...parts.map(([part]): [string, unknown] => [
      `${fact}.${part}`,
      Object.fromEntries(parts.filter(([other]) => other !== part)),
    ]),
  ]
}

describe('a report that leaves facts out is never judged milder than the whole one', () => {
  test('each fact alone', () => {
    for (const [name, evidence] of evidences)
      for (const fact of Object.keys(evidence.facts)) assertNotMilder(name, evidence, [fact])
  })

  test('each part of a fact alone, all parts of it, and its text', () => {
    for (const [name, evidence] of evidences)
      for (const [fact, value] of Object.entries(evidence.facts))
        for (const [dropped, less] of lessOf(fact, value))
          assertNotMilderWith({ ...evidence.facts, [fact]: less }, dropped, name, evidence)
  })

  test('half of the facts, and all of them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...evidences), fc.infiniteStream(fc.boolean()), ([name, evidence], coins) => {
        const names = Object.keys(evidence.facts)
        assertNotMilder(
          name,
          evidence,
          names.filter(() => coins.next().value),
        )
      }),
      { numRuns: 3000 },
    )
    for (const [name, evidence] of evidences) assertNotMilder(name, evidence, Object.keys(evidence.facts))
  })
})
