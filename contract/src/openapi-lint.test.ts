import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { openApiDocument } from './openapi/openapi.ts'
import { readSamples } from './samples.ts'

const source = JSON.stringify(openApiDocument(readSamples()))
const broken = JSON.stringify({ ...openApiDocument(), components: { schemas: { Unused: { type: 'object' } } } })

async function foundByRedocly(text: string) {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

async function foundBySpectral(text: string) {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[rulesets.oas as never, 'recommended']] })
  return (await spectral.run(text)).map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)
}

for (const [linter, lint] of Object.entries({ Redocly: foundByRedocly, Spectral: foundBySpectral })) {
  test(`${linter} finds nothing in the OpenAPI document, and no unused schema`, async () => {
    assert.deepEqual(await lint(source), [])
    assert.match((await lint(broken)).join('\n'), /unused/i)
  })
}
