// Do our own CAMARA API and the sandbox operator fulfil our own feature files, by the runner that plays CAMARA's?

import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { frontService } from '../../server/src/camara-front/testing/apis.ts'
import { phoneService } from '../../server/src/camara-front/testing/phone-client.ts'
import { sqliteDatabases } from '../../server/src/testing/databases.ts'
import { readFeature } from './feature-files.ts'
import { playFeature, type Result } from './play.ts'

const own = readFeature(new URL('own.feature', import.meta.url).pathname)
const ofPhones = readFeature(new URL('own-number-verification.feature', import.meta.url).pathname)

const notPassed = (results: readonly Result[]) =>
  results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ scenario, outcome, why }) => `${scenario.name}: ${outcome}: ${why}`)

for (const target of ['front', 'sandbox'] as const) {
  test(`the ${target} fulfils our own feature file`, async (t) => {
    const service = await frontService(t, await sqliteDatabases.open(t))
    const { results } = await playFeature(own, service, target)
    assert.deepEqual(notPassed(results), [])
    assert.ok(results.length > 300, `${results.length}`)
  })
}

test('the calls about a phone fulfil our own feature file', async (t) => {
  const service = await phoneService(t, await sqliteDatabases.open(t), { settings: { appRateBurst: 1000 } })
  assert.deepEqual(notPassed((await playFeature(ofPhones, service)).results), [])
})

test('a step or a version that nobody knows is not run, with its reason, and a wrong expectation fails', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'camara-')), 'strange.feature')
  writeFileSync(
    file,
    `Feature: strange
  Scenario: a step of another planet
    Given the resource "/sim-swap/v2/check"
    And the moon is full
  Scenario: an old version
    Given the resource "/kyc-match/v0.1/match"
  Scenario: what is not so
    Given the resource "/sim-swap/v2/check"
    When the request "check" is sent
    Then the response status code is 418
`,
  )
  const { results } = await playFeature(readFeature(file), await frontService(t, await sqliteDatabases.open(t)))
  assert.deepEqual(
    results.slice(0, 2).map(({ outcome, why }) => [outcome, why]),
    [
      ['not run', 'no step here says: the moon is full'],
      ['not run', 'kyc-match v0.1 is not served'],
    ],
  )
  assert.match(`${results[2]?.outcome} ${results[2]?.why}`, /^failed the status is 200, not 418/)
  writeFileSync(file, 'no Gherkin')
  assert.throws(() => readFeature(file), /strange\.feature is not a feature file/)
})
