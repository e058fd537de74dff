import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ByTenant } from './by-tenant.ts'
import { firstMistake } from './schema-errors.ts'

const Label = (id: 'dfrId' | 'requestId') =>
  Type.Object(
    {
      [id]: Type.String(),
      outcome: Type.Enum(['fraud', 'chargeback', 'legitimate'], { description: 'How it turned out' }),
      note: Type.Optional(Type.String({ maxLength: 3, description: 'For yourself' })),
    },
    { additionalProperties: false },
  )
const Schema = Type.Object({
  labels: Type.Array(Type.Union([Label('dfrId'), Label('requestId')])),
  secret: Type.Optional(Type.Union([Type.Object({ env: Type.String() }), Type.Object({ file: Type.String() })])),
})

const mistakeIn = (label: unknown) => firstMistake(Schema, { labels: [label] })
const allowed = 'labels.0.outcome must be one of fraud, chargeback, legitimate'
const forms = '{ dfrId: …, outcome: …, note?: … } or { requestId: …, outcome: …, note?: … }'

test('finds no mistake in a value that fits its schema', () => {
  assert.equal(mistakeIn({ dfrId: 'a', outcome: 'fraud' }), undefined)
})

test('names the allowed values, and suggests the nearest', () => {
  assert.equal(mistakeIn({ dfrId: 'a', outcome: 'Chargebak' }), `${allowed}; did you mean chargeback?`)
  assert.equal(mistakeIn({ dfrId: 'a', outcome: 'odd' }), `${allowed}: How it turned out`)
  for (const outcome of [null, 7, {}, ['fraud'], 'x'.repeat(100_000)]) {
    assert.equal(mistakeIn({ requestId: 'a', outcome }), `${allowed}: How it turned out`)
  }
})

test('describes a part inside a union by its own description', () => {
  assert.equal(
    mistakeIn({ dfrId: 'a', outcome: 'fraud', note: 'long' }),
    'labels.0.note must not have more than 3 characters: For yourself',
  )
})

test('shows every form of a union when the value has none of them', () => {
  for (const label of [{}, { outcome: 'fraud' }, { dfrId: 'a', requestId: 'b', outcome: 'fraud' }, null, 7]) {
    assert.equal(mistakeIn(label), `labels.0 must be ${forms}`)
  }
  assert.equal(
    firstMistake(Schema, { labels: [], secret: 'hunter2' }, { at: 'settings' }),
    'settings.secret must be { env: … } or { file: … }',
  )
})

test('names a missing key, and an unknown one with the nearest key or the allowed ones', () => {
  assert.equal(firstMistake(Schema, {}), 'labels is missing')
  const closed = Type.Object({ port: Type.Optional(Type.Integer()) }, { additionalProperties: false })
  assert.equal(
    firstMistake(closed, { port: 1, prot: 2 }, { at: 'settings' }),
    'settings.prot is not a known key; did you mean port?',
  )
  assert.equal(firstMistake(closed, { colour: 1 }, { at: 'a' }), 'a.colour is not a known key; allowed: port')
  assert.equal(firstMistake(closed, { prot: 1, prt: 1 }), 'prot, prt are not known keys; allowed: port')
  const long = Type.Object(
    Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`name${i}`, Type.Optional(Type.String())])),
    { additionalProperties: false },
  )
  assert.equal(firstMistake(long, { colour: 1 }), 'colour is not a known key')
})

test('finds a mistake beside any number of unknown keys', () => {
  const closed = Type.Object({ port: Type.Integer() }, { additionalProperties: false })
  for (const count of [1, 7, 8, 9, 100]) {
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, true]))
    for (const port of [1, 'many']) {
      const mistake = firstMistake(closed, { ...unknown, port }, { at: 'settings' })
      assert.match(mistake ?? '', /^settings\.(key0|port)\b/, `${count} unknown keys, port ${port}`)
    }
  }
})

test('names the form of a setting instead of its pattern', () => {
  const header = Type.String({ pattern: '^x-[a-z-]+$', form: 'a name that begins with `x-`', description: 'A header' })
  assert.equal(
    firstMistake(Type.Object({ header }), { header: 'Y' }),
    'header must be a name that begins with x-: A header',
  )
})

test('names the unknown key beside the missing one that it may mean, and what the keys of a map are', () => {
  const closed = { additionalProperties: false }
  const connector = Type.Object({ baseUrl: Type.String(), type: Type.String() }, closed)
  assert.equal(
    firstMistake(connector, { type: 'x', baseURL: 'y' }, { at: 'connectors.hub' }),
    'connectors.hub.baseUrl is missing, and connectors.hub.baseURL is not a known key; did you mean baseUrl?',
  )
  assert.equal(
    firstMistake(
      Type.Object({ tenants: ByTenant(Type.Object({}), 'x') }),
      { tenants: { health: {} } },
      { at: 'consent' },
    ),
    'consent.tenants.health is not a known key: write the id of a tenant, which ringfence clients list shows',
  )
})

test('stops at the first item with a mistake, and at a list that is too long, without a look at the others', () => {
  const looked: unknown[] = []
  const item = (value: number) =>
    Object.defineProperty({}, 'id', {
      enumerable: true,
      get() {
        looked.push(value)
        return value
      },
    })
  const schema = Type.Array(Type.Object({ id: Type.Integer({ maximum: 2 }) }), { maxItems: 100 })
  const list = Array.from({ length: 1000 }, (_, id) => item(id))
  assert.equal(firstMistake(schema, list, { at: 'labels' }), 'labels must not have more than 100 items')
  assert.deepEqual(looked, [])
  assert.equal(firstMistake(schema, list.slice(0, 100), { at: 'labels' }), 'labels.3.id must be <= 2')
  assert.deepEqual(new Set(looked), new Set([0, 1, 2, 3]))
})
