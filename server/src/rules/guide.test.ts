import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runCases } from './cases.ts'
import { readCondition } from './language/condition.ts'
import { readRuleFile } from './rule-file.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

test('the guides show valid rule files whose cases pass', () => {
  const names = ['guides/rules', 'reference/velocities', 'guides/lists']
  const pages = names.map((name) => page(`${name}.md`)).join('')
  const files = [...pages.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!)
  assert.ok(files.length >= 4)
  for (const text of files) {
    // What must be known is shown without rules.
    const whole = /^rules:/m.test(text) ? text : `${text}rules: []\n`
    const { ruleSet, mistakes } = readRuleFile(whole)
    assert.deepEqual(mistakes, [])
    assert.deepEqual(runCases(ruleSet.rules).failed, [])
    assert.deepEqual(runCases(ruleSet.rules).untried, [])
  }
})

test('docs/guides/rules.md shows the real message of a mistake', () => {
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(page('guides/rules.md')) ?? []
  const [mistake] = readRuleFile(text.replace('and newDevice\n', 'and newDevise\n')).mistakes
  const { line, column, rule, reason } = mistake!
  assert.ok(
    page('guides/rules.md').includes(`rules.yaml:${line}:${column}: rule ${rule}: ${reason}`),
    `${line}:${column} ${reason}`,
  )
})

test('docs/reference/rules.md shows only valid conditions', () => {
  const [, rows = ''] = /## Conditions\n(.*?)\n\n`/s.exec(page('reference/rules.md')) ?? []
  const shown = [...rows.matchAll(/`([^`]+)`/g)]
    .map(([, text]) => text!)
    .filter((text) => /^\w{3,}/.test(text) && !/\bA\b/.test(text))
  assert.ok(shown.length >= 8)
  for (const text of shown) readCondition(text)
})
