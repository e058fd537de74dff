import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeyName, keyNamesOf } from './blocking-keys.ts'
import { allParts, components, type Family, families } from './components.ts'
import { ages, models, outcome, rarities, rarityOf, type SharedKey, sharesKey, weights } from './score.ts'

/** Numbers from 0 to `limit` that look random and are the same in each run (Park and Miller 1988). */
function numbersFrom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

test('no weight is inverted: agreement counts for one device, a difference against it, previous values are between', () => {
  for (const family of families) {
    for (const name of components) {
      const { agrees, agreesWithFormer, differs } = weights[family].components[name]
      for (let age = 0; age < ages; age++) {
        const its = [differs[age]!, agreesWithFormer[age]!, agrees[age]!]
        const what = `${family} ${name} ${its}`
        assert.ok(its[0]! <= 0 && its[2]! >= 0, what)
        assert.deepEqual(
          its,
          its.toSorted((a, b) => a - b),
          what,
        )
      }
    }
  }
})

test('a rarer key never weighs less, and a shared key never counts against one device', () => {
  for (const family of families) {
    for (const name of keyNamesOf(family)) {
      const its = weights[family].keys[name]!
      assert.equal(its.length, rarities)
      assert.deepEqual(
        its,
        its.toSorted((a, b) => b - a),
        `${family} ${name}`,
      )
      assert.ok(its.at(-2)! >= 0 && its.at(-1)! <= 0, `${family} ${name}`)
    }
  }
})

const day = 86_400_000
const ageOf = [day, 20 * day, 90 * day]

/** A comparison as it may be: each component unknown, agreeing, agreeing with a previous value, or, in few parts, differing. */
function comparison(below: (limit: number) => number): Uint8Array {
  const outcomes = new Uint8Array(components.length)
  const differing = new Set(Array.from({ length: below(4) }, () => below(allParts.length)))
  for (const [index, part] of allParts.entries()) {
    for (const its of part) {
      const choice = below(10)
      const isOther = differing.has(index) && choice > 3
      outcomes[its] = isOther ? outcome.differs : choice === 0 ? outcome.unknown : choice === 1 ? 2 : outcome.agrees
    }
  }
  return outcomes
}

test('of any two visits, the one that differs in one more component never scores higher', () => {
  for (const family of families) {
    const below = numbersFrom(7 + families.indexOf(family))
    const names = keyNamesOf(family)
    for (let round = 0; round < 120; round++) {
      const outcomes = comparison(below)
      const keys = names.map((name) => ({ name, devices: 1 + below(70), isFull: below(5) === 0 }))
      for (const age of ageOf) {
        const score = scoreOf(family, outcomes, keys, age)
        for (const [place, name] of components.entries()) {
          if (outcomes[place] === outcome.differs) continue
          const other = Uint8Array.from(outcomes)
          other[place] = outcome.differs
          const its = scoreOf(family, other, keys, age)
          assert.ok(its <= score + 1e-9, `${family}, ${age / day} days, ${name}: ${score} → ${its}`)
        }
      }
    }
  }
})

type Key = { readonly name: KeyName; readonly devices: number; readonly isFull: boolean }

/** As decide.ts: a key is shared unless one of its components differs; a full one that is not shared counts too. */
function scoreOf(family: Family, outcomes: Uint8Array, keys: readonly Key[], age: number): number {
  const shared = keys.flatMap(({ name, devices, isFull }): SharedKey[] => {
    const has = sharesKey(family, name, outcomes)
    if (!isFull) return has && devices <= 64 ? [{ name, devices }] : []
    return [{ name, devices: has ? 65 : Number.POSITIVE_INFINITY }]
  })
  return models[family].score(outcomes, shared, age)
}

test('sorts keys into classes of rarity', () => {
  assert.deepEqual([1, 2, 3, 4, 63, 64, 65, 1000].map(rarityOf), [0, 1, 1, 2, 5, 6, 7, 7])
})
