// Is the reference of the sandbox correct? Compares its tables with the scenarios. (scripts/guides plays the guide.)

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { faultKinds, routes } from './faults.ts'
import { isValidNumber } from './phone-number.ts'
import { scenarioOf, scenarios } from './scenarios.ts'

const reference = readFileSync(new URL('../../docs/reference/sandbox.md', import.meta.url), 'utf8')

test('docs/reference/sandbox.md has the table of scenarios.ts, row by row', () => {
  const rows = scenarios.map(({ suffixes, name, shows }) => `| ${suffixes.join(', ')} | ${name} | ${shows} |`)
  const written = reference.split('\n').filter((line) => /^\| 01\d\d/.test(line))
  assert.deepEqual(written, rows)
})

test('docs/reference/sandbox.md names every fault and every route', () => {
  for (const name of [...faultKinds, ...routes]) assert.ok(reference.includes(`\`${name}\``), name)
})

test('docs/reference/sandbox.md lists valid numbers with their scenarios', () => {
  const examples = [...reference.matchAll(/^\| `(\d+)` \| ([\w-]+) \|$/gm)]
  assert.ok(examples.length > 10)
  for (const [, digits = '', name] of examples) {
    assert.ok(isValidNumber(digits), digits)
    assert.equal(scenarioOf(digits)?.name ?? 'ordinary', name, digits)
  }
})
