import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRules } from './defaults/default-rules.ts'
import { readRuleFile, ruleFileText } from './rule-file.ts'
import { ruleSetOf } from './rule-set.ts'

const file = (...lines: string[]) => lines.join('\n')
const head = ['rules:', '  - id: a', '    name: A', '    action: WARN', '    score: 1']

test('reads a written file as the same rule set', () => {
  assert.deepEqual(readRuleFile(ruleFileText(defaultRules)), { ruleSet: defaultRules, mistakes: [] })
  const odd = ruleSetOf({
    rules: [
      {
        id: 'x',
        name: 'yes: "no" # 1',
        when: 'params["a: b"] == "\\n# \'x" or ip in ("- 1", "null")',
        action: 'ALLOW',
        score: 0.5,
        message: 'one\ntwo',
        cases: [{ name: 'n', fires: { 'params.a: b': '1', 'params.__proto__': 'x' } }],
      },
    ],
  })
  assert.deepEqual(readRuleFile(ruleFileText(odd)), { ruleSet: odd, mistakes: [] })
})

const mistakes: readonly (readonly [text: string, line: number, column: number, reason: RegExp])[] = [
  [file(...head, '    when: vpn and vnp'), 6, 19, /^there is no "vnp"; did you mean vpn\?$/],
  [file(...head, '    when: "vpn and vnp"'), 6, 20, /^there is no "vnp"/],
  [file(...head, "    when: 'vpn and ip == 3'"), 6, 26, /^ip is a text, not a number/],
  [file(...head, '    when: |', '      vpn and', '      vnp'), 8, 7, /^there is no "vnp"/],
  [
    file(...head, '    when: >', '      vpn and', '      vnp'),
    6,
    11,
    /^line 1, column 9 of the condition: there is no "vnp"/,
  ],
  [file(...head, '    when: vpn and inList("bank", ip)'), 6, 26, /^there is no list "bank"; did you mean banks\?$/],
  [file(...head), 2, 5, /^when is missing/],
  [
    file(...head, '    when: vpn', '    cases:', '      - fires: { vnp: true }'),
    8,
    9,
    /^there is no "vnp"; did you mean vpn/,
  ],
  [
    file(...head, '    when: vpn', '    cases:', '      - fires: { vpn: "yes" }'),
    8,
    9,
    /^vpn is true or false, not a text$/,
  ],
  [
    file(...head, '    when: vpn', '    color: red'),
    7,
    12,
    /^color is not a known key; allowed: when, cases, id, name/,
  ],
  [file(...head, '    when: vpn', '    case: []'), 7, 11, /^case is not a known key; did you mean cases\?$/],
  [
    file('rules:', '  - { id: a, name: A, action: STOP, score: 1, when: vpn }'),
    2,
    31,
    /^action must be .*ALLOW, WARN, REVIEW, CHALLENGE, BLOCK/,
  ],
  [
    file('rules:', '  - { id: "a b", name: A, action: WARN, score: 1, when: vpn }'),
    2,
    11,
    /^id must match .*letters, digits/,
  ],
  [file(...head, '    when: vpn', ...head.slice(1), '    when: vpn'), 7, 9, /^there is a rule a already$/],
  ['rule: []', 1, 1, /rules must be a list of rules/],
  ['', 1, 1, /rules must be a list of rules/],
  // The example of a guide, pasted behind the output of `rules show`.
  [
    file(...head, '    when: vpn', 'velocity: {}', 'rules:', '  - id: b'),
    8,
    1,
    /^the key "rules" is in line 1 already: merge them; move what is below this line to the end of the first, and delete this line$/,
  ],
  [file(...head, '    when: vpn', '    score: 2'), 7, 5, /^the key "score" is in line 5 already: delete one of them$/],
  [
    'velocity: { cards: { per: ip }, "cards": 1 }\nrules: []',
    1,
    33,
    /^the key "cards" is in line 1 already: merge them/,
  ],
  ['rules: [', 1, 9, /^not valid YAML/],
  ['rules:\n  - [a\n  b: c', 3, 3, /^not valid YAML/],
]

test('reports the line and column of every mistake', () => {
  for (const [text, line, column, reason] of mistakes) {
    const [first] = readRuleFile(text, new Map([['banks', 'ip']])).mistakes
    assert.ok(first, text)
    assert.match(first.reason, reason)
    assert.deepEqual([first.line, first.column], [line, column], `${text}\n${first.reason}`)
  }
})

test('reports all mistakes of a file at once, with their rules', () => {
  const { mistakes: found } = readRuleFile(
    file(...head, '    when: vnp', ...head.slice(1).map((line) => line.replace('id: a', 'id: b')), '    when: ip'),
  )
  assert.deepEqual(
    found.map(({ line, rule }) => [line, rule]),
    [
      [6, 'a'],
      [11, 'b'],
    ],
  )
})

test('refuses a hostile file before the YAML reader sees it', () => {
  const hostile: ((size: number) => string)[] = [
    (size) => '['.repeat(size),
    (size) => '{'.repeat(size),
    (size) => `${'- '.repeat(size)}]`,
    (size) => `${' '.repeat(size)}a: b: c`,
    (size) => `a: b: c # ${'a'.repeat(10 * size)}`,
  ]
  for (const textOf of hostile) {
    // The YAML is wrong as well: if the reader came first, its mistake would be the one that is returned.
    assert.match(readRuleFile(textOf(10)).mistakes[0]!.reason, /^not valid YAML/)
    const { mistakes } = readRuleFile(textOf(100_000))
    assert.equal(mistakes.length, 1)
    assert.match(mistakes[0]!.reason, /nested too deeply|at most 512 KiB/)
  }
})

test('refuses a file whose aliases multiply', () => {
  const aliases = [
    'a: &a [x, x]',
    ...Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [*${i ? `b${i - 1}` : 'a'}, *${i ? `b${i - 1}` : 'a'}]`),
  ]
  assert.match(readRuleFile(aliases.join('\n')).mistakes[0]!.reason, /not usable: Excessive alias count/)
})
