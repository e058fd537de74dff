import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminEndpoints } from '@ringfence/contract'
import { casesOf, notMeasured } from './cases.ts'
import type { Filled } from './fill.ts'
import { pagesOfConsole } from './pages.ts'

const store = { busiest: {}, decisionIds: ['1', '2', '3'] } as unknown as Filled

test('the benchmark of the console finds the calls of each page', () => {
  const pages = new Map(pagesOfConsole().map(({ path, calls }) => [path, calls]))
  assert.ok(pages.get('/')!.includes('readOverview'))
  assert.ok(pages.get('/decisions/$decisionId')!.includes('readDecision'))
  assert.ok(pages.get('/devices/$deviceId')!.includes('listDeviceVisits'))
  assert.ok(!pages.get('/lists')!.includes('readDevice'))
  assert.ok(pages.size > 20)
})

test('each call of a page that reads is measured, with the fields that it needs', () => {
  const cases = casesOf(store)
  for (const { path, calls } of pagesOfConsole()) {
    for (const name of calls) assert.ok(cases.has(name) || name in notMeasured, `${path} sends ${name}`)
  }
  for (const [name, each] of cases) {
    const { required = [] } = adminEndpoints[name].request as { required?: readonly string[] }
    for (const { what, fields } of each) {
      const missing = required.filter((field) => !(field in fields))
      assert.deepEqual(missing, [], `${name} ${what}: add the case to proof/bench/console/cases.ts`)
    }
  }
})
