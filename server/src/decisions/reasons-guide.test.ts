// Does docs/guides/reasons.md show what a decision answers?

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const page = readFileSync(new URL('../../../docs/guides/reasons.md', import.meta.url), 'utf8')

test('docs/guides/reasons.md shows the real answer to its request', async (t) => {
  const { decide } = decisionCalls(await startTestService(t, await sqliteDatabases.open(t)))
  const [, request = ''] = /-d '(.*?)'/.exec(page) ?? []
  const [, shown = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  const { body } = await decide(JSON.parse(request))
  for (const [name, value] of Object.entries(JSON.parse(shown))) assert.deepEqual(body[name], value, name)
})
