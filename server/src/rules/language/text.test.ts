import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { conditions, roughTexts } from '../testing/arbitrary.ts'
import { readCondition } from './condition.ts'
import { type Condition, ConditionMistake } from './rule.ts'
import { parseCondition, printCondition } from './text.ts'

test('parses a printed condition as the same condition', () => {
  fc.assert(
    fc.property(conditions, (condition) => {
      assert.deepStrictEqual(plain(parseCondition(printCondition(condition)).condition), plain(condition))
    }),
    { numRuns: 2_000 },
  )
})

test('parses a text as the same condition after printing, or reports line and column', () => {
  const seen = { read: 0, refused: 0 }
  fc.assert(
    fc.property(roughTexts, (text) => {
      try {
        const { condition } = parseCondition(text)
        assert.deepStrictEqual(parseCondition(printCondition(condition)).condition, condition)
        seen.read++
      } catch (error) {
        if (isUnprintable(error)) return
        assert.ok(error instanceof ConditionMistake, String(error))
        assert.match(error.message, /^line \d+, column \d+: /)
        seen.refused++
      }
    }),
    { numRuns: 5_000 },
  )
  assert.ok(seen.read > 5 && seen.refused > 1_000)
})

/** A key in brackets after a part that allows none: parseCondition accepts it, and readCondition refuses the unknown path. */
const isUnprintable = (error: unknown) => error instanceof Error && /^no rule can read/.test(error.message)

/** Without the prototypes that a generator may leave out. */
function plain(condition: Condition): unknown {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]))
  }
  return copy(condition)
}

const printed: readonly (readonly [text: string, printed: string])[] = [
  ['vpn == true', 'vpn'],
  ['vpn==false', 'vpn == false'],
  ['((vpn))', 'vpn'],
  ['vpn or proxy and newDevice', 'vpn or proxy and newDevice'],
  ['(vpn or proxy) and newDevice', '(vpn or proxy) and newDevice'],
  ['vpn and (proxy and newDevice)', 'vpn and (proxy and newDevice)'],
  ['not (vpn and proxy)', 'not (vpn and proxy)'],
  ['not vpn and proxy', 'not vpn and proxy'],
  ['not ip == "10.0.0.1"', 'not (ip == "10.0.0.1")'],
  ['ip in("a" ,\n"b")', 'ip in ("a", "b")'],
  ['params["my key"] >= 1.50', 'params["my key"] >= 1.5'],
  ['params["amount"] > 1e3', 'params.amount > 1000'],
  ['sessionRiskScore between 30 and 70 and vpn', 'sessionRiskScore between 30 and 70 and vpn'],
  ['ipDetails.country != telecom.country', 'ipDetails.country != telecom.country'],
]

test('prints parentheses only where they are necessary', () => {
  for (const [text, expected] of printed) assert.equal(printCondition(readCondition(text)), expected)
})

const refused: readonly (readonly [text: string, line: number, column: number, reason: RegExp])[] = [
  ['', 1, 1, /expected a condition, found the end/],
  ['vpn and', 1, 8, /expected a condition, found the end/],
  ['(vpn', 1, 5, /expected a closing \), found the end/],
  ['vpn)', 1, 4, /expected and, or, or the end of the condition, found \)/],
  ['vpn = true', 1, 5, /= is not expected: compare with ==/],
  ['vpn && proxy', 1, 5, /& is not expected: write and/],
  ["signals.bot == 'bad'", 1, 16, /write texts in double quotes/],
  ['signals.bot == “bad”', 1, 16, /straight double quotes/],
  ['ip == "a\n"', 1, 7, /no closing "/],
  ['ip == "\\q"', 1, 7, /an escape that JSON does not know/],
  ['vpn and\n  sessionRiskScore > 1e999', 2, 22, /too large/],
  ['sessionRiskScore > 070', 1, 20, /does not begin with 0/],
  ['velocity.accountsPerDevice24h > 7d', 1, 34, /d is not expected: a number ends before it/],
  ['ip in ("a"', 1, 11, /expected , or \), found the end/],
  ['sessionRiskScore between 1, 2', 1, 27, /expected and with the upper bound, found ,/],
  ['params[1] == 2', 1, 8, /expected a key in double quotes/],
  ['ip == \u001b[31m', 1, 7, /U\+001B is not expected/],
]

test('reports line and column of a text that is not a condition', () => {
  for (const [text, line, column, reason] of refused) {
    assert.throws(
      () => readCondition(text),
      (error: unknown) => {
        assert.ok(error instanceof ConditionMistake)
        assert.match(error.reason, reason)
        assert.deepEqual([error.line, error.column], [line, column], text)
        return true
      },
    )
  }
})
