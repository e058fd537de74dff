// Are the pages about the sandbox correct? Compares their table with the scenarios, and runs their commands.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { faultKinds, routes } from './faults.ts'
import { isValidNumber } from './phone-number.ts'
import { scenarioOf, scenarios } from './scenarios.ts'
import { testSandbox } from './testing.ts'

const page = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
const guide = page('guides/sandbox.md')
const reference = page('reference/sandbox.md')

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

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'no curl on this machine'

test('the commands of docs/guides/sandbox.md work in order, and return what the guide shows', { skip }, async () => {
  await using operator = await testSandbox({ clients: [{ clientId: 'ringfence', clientSecret: 'made-up-secret' }] })
  const blocks = [...guide.matchAll(/```sh\n(curl|TOKEN=)([\s\S]*?)```(?:\n+```json\n([\s\S]*?)```)?/g)]
  assert.ok(blocks.length > 8)
  const script = blocks
    .map(([, start, rest]) => `${start}${rest}`.replaceAll('http://127.0.0.1:9091', operator.sandbox.url))
    .join('echo; echo ----\n')
  const { stdout } = await promisify(execFile)('bash', ['-euc', script])
  const answers = stdout.split('\n----\n')
  assert.equal(answers.length, blocks.length)
  for (const [index, [command, , , shown]] of blocks.entries()) {
    if (shown !== undefined) assert.deepEqual(JSON.parse(answers[index] ?? ''), JSON.parse(shown), command)
    assert.ok(!/"code":|"error":/.test(answers[index] ?? '') || shown !== undefined, `${command}\n${answers[index]}`)
  }
})
