import assert from 'node:assert/strict'
import { test } from 'node:test'
import { components, families } from '../identity/components.ts'
import { ages, outcome, scorerOf, weights } from '../identity/score.ts'
import { priorOf } from './prior.ts'
import { eventOf, provenPairs } from './proven-pairs.ts'
import { type FamilyShifts, shifted, shiftsOf, stepTowards } from './shifts.ts'
import { moveOdds } from './tenant-models.ts'
import { companyLaptop } from './testing/company.ts'

const family = 'blink-desktop'

/** Of each shift, the part of its standard error. */
function partsOfErrors(shifts: FamilyShifts): number[] {
  return components.flatMap((name, index) =>
    (['agrees', 'differs'] as const).flatMap((which) =>
      Array.from({ length: ages }, (_, age) => {
        const error = priorOf(family, age).error[eventOf(index, which === 'differs')]!
        // Shifts are stored with three decimals.
        return Math.max(0, Math.abs(shifts[name]?.[which][age] ?? 0) - 0.0005) / (error || 1)
      }),
    ),
  )
}

/** Honest laptops, then fakes of which everything changes between two visits, so that differences would say nothing. */
function taught({ fakes, networks, honest = 300 }: { fakes: number; networks: number; honest?: number }) {
  const { counts, add } = provenPairs()
  for (let index = 0; index < honest; index++) add(companyLaptop(index))
  const before = shiftsOf(family, counts[family])
  for (let index = 0; index < fakes; index++) {
    add(
      companyLaptop(10_000 + index, {
        changes: () => true,
        network: 10_000 + (index % networks),
        model: `fake ${index}`,
      }),
    )
  }
  return { before, after: shiftsOf(family, counts[family]), pairs: counts[family].pairs }
}

test('1,000 proven fakes from few networks count as few, and hardly move a weight', () => {
  const { pairs, before, after } = taught({ fakes: 1000, networks: 5 })
  assert.equal(pairs, 305)
  assert.ok(partsOfErrors(after).every((part) => part <= 1))
  const moved = Math.abs((after.zone?.agrees[1] ?? 0) - (before.zone?.agrees[1] ?? 0))
  assert.ok(moved < 0.05, `${moved}`)
})

test('1,000 proven fakes from 1,000 networks move no weight by more than its standard error', () => {
  const { pairs, after } = taught({ fakes: 1000, networks: 1000 })
  assert.equal(pairs, 1300)
  const parts = partsOfErrors(after)
  assert.ok(Math.max(...parts) <= 1, `${Math.max(...parts)}`)
  assert.ok(
    parts.some((part) => part > 0.9),
    'they reach the bound, so the bound is tested',
  )
})

test('fakes with 1,000 networks and one account count once', () => {
  const { counts, add } = provenPairs()
  const accounts = new Set(['one'])
  for (let index = 0; index < 1000; index++) add({ ...companyLaptop(index), accounts })
  assert.equal(counts[family].pairs, 1)
})

test('an installation that was never seen on another day does not count', () => {
  const { add } = provenPairs()
  assert.ok(!add({ ...companyLaptop(1), lastSeenAt: 3_600_000 }))
})

test('a tenant without traffic keeps every weight', () => {
  for (const each of families) {
    const shifts = shiftsOf(each, provenPairs().counts[each])
    assert.deepEqual(shifted(weights[each], shifts), weights[each])
  }
})

test('weights that are moved as far as can be still count agreement for and difference against one device', () => {
  for (const each of families) {
    for (const [forAgreement, forDifference] of [
      [1, 1],
      [-1, 1],
      [1, -1],
      [-1, -1],
    ] as const) {
      const shifts = Object.fromEntries(
        components.map((name, index) => {
          const errors = (differs: boolean, sign: number) =>
            Array.from({ length: ages }, (_, age) => sign * priorOf(each, age).error[eventOf(index, differs)]!)
          return [name, { agrees: errors(false, forAgreement), differs: errors(true, forDifference) }]
        }),
      )
      const moved = shifted(weights[each], shifts)
      for (const name of components) {
        const { agrees, agreesWithFormer, differs } = moved.components[name]
        for (let age = 0; age < ages; age++) {
          const its = [agrees[age]!, agreesWithFormer[age]!, differs[age]!] as const
          assert.ok(its[0] >= 0 && its[2] <= 0 && its[1] <= its[0] && its[1] >= its[2], `${each} ${name} ${its}`)
        }
      }
      neverHigherWithOneMoreDifference(scorerOf(moved), `${each} ${forAgreement} ${forDifference}`)
    }
  }
})

/** Of two visits, the one that differs in one more component never scores higher. */
function neverHigherWithOneMoreDifference(score: ReturnType<typeof scorerOf>, about: string): void {
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  for (let round = 0; round < 200; round++) {
    const outcomes = Uint8Array.from(components, () =>
      random() < 0.15 ? outcome.unknown : random() < 0.2 ? outcome.differs : outcome.agrees,
    )
    const index = Math.floor(random() * components.length)
    if (outcomes[index] !== outcome.agrees) continue
    for (const age of [0, 10 * 86_400_000, 90 * 86_400_000]) {
      const more = new Uint8Array(outcomes)
      more[index] = outcome.differs
      const difference = score(more, [], age) - score(outcomes, [], age)
      assert.ok(difference <= 1e-9, `${about}: ${components[index]} ${difference}`)
    }
  }
}

test('one step of maintenance goes a quarter of the standard error, and steps end where learning points', () => {
  const target = taught({ fakes: 1000, networks: 1000 }).after
  let now: FamilyShifts = {}
  now = stepTowards(now, target, family)
  assert.ok(Math.max(...partsOfErrors(now)) <= 0.25)
  for (let day = 0; day < 4; day++) now = stepTowards(now, target, family)
  const sorted = (shifts: FamilyShifts) => Object.entries(shifts).toSorted(([a], [b]) => a.localeCompare(b))
  assert.deepEqual(sorted(now), sorted(target))
})

test('a confidence moves by odds, and never leaves its range', () => {
  assert.equal(moveOdds(0.5, Math.log(2)).toFixed(3), '0.667')
  assert.equal(moveOdds(0.8, 0), 0.8)
  assert.deepEqual([moveOdds(0, 1), moveOdds(1, 1)], [0, 1])
})
