import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readMapping } from './mapping/mapping.ts'
import { ask, testNumbers } from './test-numbers.ts'

const guide = fs.readFileSync(new URL('../../../../docs/guides/number-data.md', import.meta.url), 'utf8')

test('imports the files shown in docs/guides/number-data.md unchanged', async (t) => {
  const files = [...guide.matchAll(/```csv\n(.*?)```/gs)].map(([, text]) => text!)
  const numbers = testNumbers(t)
  const imported = []
  for (const file of files) imported.push((await numbers.import(file)).contents)
  assert.deepEqual(imported, ['full', 'increment', 'full'])
  const sources = (await numbers.open()).current()
  const asOf = Date.parse('2026-10-31T03:00:00Z')
  assert.deepEqual(await ask(sources, 'nl-ported', '31612345679'), { ported: false, asOf })
  assert.deepEqual(await ask(sources, 'nl-ported', '31612345690'), { operator: '204-08', ported: true, asOf })
  assert.equal((await ask(sources, 'nl-allocations', '31620000000'))?.homeOperator, '204-16')
})

test('reads the mapping shown in docs/guides/number-data.md', (t) => {
  const [, text] = /```yaml\n(source: .*?)```/s.exec(guide)!
  const file = path.join(testNumbers(t).dataFolder, 'gb.yaml')
  fs.writeFileSync(file, text!)
  const { columns, operatorPrefixes } = readMapping(file)
  assert.deepEqual(columns, { number: 'MSISDN', operator: 'RECIPIENT', portedOn: 'DATE', action: 'ACTION' })
  assert.deepEqual(operatorPrefixes, { '98077': '234-20' })
})
