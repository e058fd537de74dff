import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import * as contract from './index.ts'

const samples = contract.readSamples()

/** Every schema of the contract by its `$id`. */
const schemas = new Map<string, TSchema>()
for (const part of Object.values<unknown>(contract)) {
  if (typeof part === 'object' && part !== null && '$id' in part) schemas.set(String(part.$id), part as TSchema)
}

/** The required fields of an object schema, or of the union branch that the body fits. */
function requiredFields(schema: TSchema, body: unknown): string[] {
  if ('required' in schema) return schema.required as string[]
  const branches = 'anyOf' in schema ? (schema.anyOf as TSchema[]) : []
  return branches.filter((branch) => Value.Check(branch, body)).flatMap((branch) => requiredFields(branch, body))
}

for (const [id, cases] of Object.entries(samples)) {
  const schema = schemas.get(id)
  for (const [name, body] of Object.entries(cases)) {
    test(`the sample ${id} ${name} fits its schema`, () => {
      assert.ok(schema, `no schema ${id} in contract/src`)
      assert.deepEqual(Value.Errors(schema, body), [])
    })
    test(`the sample ${id} ${name} does not fit its schema without a required field`, () => {
      for (const field of requiredFields(schema!, body)) {
        const { [field]: _, ...rest } = body as Record<string, unknown>
        assert.equal(Value.Check(schema!, rest), false, `${field} is required`)
      }
    })
  }
}

test('every request and response body has a sample', () => {
  for (const endpoint of Object.values(contract.endpoints)) {
    for (const schema of [
      endpoint.request,
      ...(endpoint.answer === contract.Nothing ? [] : [endpoint.answer]),
      endpoint.refusals[400].body,
      endpoint.refusals[500].body,
    ]) {
      const id = (schema as unknown as { $id: string }).$id
      assert.ok(samples[id], `contract/samples has no ${id}`)
    }
  }
})

test('the examples that an endpoint names are samples of its answer', () => {
  for (const { answer, answerSamples = [] } of Object.values<contract.Endpoint>(contract.endpoints)) {
    const { $id: id } = answer as unknown as { $id: string }
    for (const name of answerSamples) assert.ok(samples[id]?.[name], `contract/samples has no ${id} ${name}`)
  }
})

test('the OpenAPI document contains the schemas of facts, and describes every tag', () => {
  const { components, paths, tags } = contract.openApiDocument() as {
    components: { schemas: Record<string, { properties: object }> }
    paths: Record<string, Record<string, { tags: string[] }>>
    tags: { name: string }[]
  }
  for (const facts of [contract.WebFacts, contract.IosFacts, contract.AndroidFacts]) {
    const { $id, properties } = facts as unknown as { $id: string; properties: object }
    assert.deepEqual(Object.keys(components.schemas[$id]?.properties ?? {}), Object.keys(properties), $id)
  }
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap((each) => each.tags)))
  assert.deepEqual([...used].toSorted(), tags.map(({ name }) => name).toSorted())
})

test('the sample of everything that can be asked about a number has each check', () => {
  const { checks } = samples.TelecomChecksRequest!.everything as { checks: object }
  assert.deepEqual(Object.keys(checks).toSorted(), contract.checkNames.toSorted())
})
