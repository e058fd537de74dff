import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineCounter, parseDocument } from 'yaml'
import { placesIn } from './positions.ts'

const text = `# comment
settings:
  port: 80
connectors:
  acme.north:
    type: camara
    token: { clientId: x }
operators:
  - { id: 001-01 }
  - name: B
`
const lines = new LineCounter()
const placeOf = placesIn('r.yaml', parseDocument(text, { lineCounter: lines }), lines)

test('names line and column of the key, of the nearest key around it when it is missing, and of an entry of a list', () => {
  assert.equal(placeOf('settings.port must be an integer'), 'r.yaml:3:3')
  assert.equal(placeOf('settings.prot is not a known key'), 'r.yaml:2:1')
  assert.equal(placeOf('connectors.acme.north.token.clientId: wrong'), 'r.yaml:7:14')
  assert.equal(placeOf('connectors.acme.north.baseUrl is missing'), 'r.yaml:5:3')
  assert.equal(placeOf('operators.1.name, operators.1.id'), 'r.yaml:10:5')
  assert.equal(placeOf('operators.0.id must be a string'), 'r.yaml:9:7')
  assert.equal(placeOf('nothing of the file'), 'r.yaml')
})
