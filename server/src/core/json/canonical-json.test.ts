import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

test('writes the example of RFC 8785, section 3.2.3', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`)
  assert.equal(
    canonicalJson(value),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  )
})

test('sorts members by UTF-16 units, as RFC 8785 does in section 3.2.3', () => {
  const value = JSON.parse(
    String.raw`{"\u20ac":"Euro","\r":"Return","\ufb33":"Hebrew","1":"One","\ud83d\ude00":"Emoji","\u0080":"Control","\u00f6":"o"}`,
  )
  const names = [...canonicalJson(value).matchAll(/:"(\w+)"/g)].map(([, name]) => name)
  assert.deepEqual(names, ['Return', 'One', 'Control', 'o', 'Euro', 'Emoji', 'Hebrew'])
})

test('gives the same text for any order of members, at every depth', () => {
  const one = { b: [{ d: 1, c: 2 }], a: { y: null, x: '' }, left: undefined }
  const other = { a: { x: '', y: null }, b: [{ c: 2, d: 1 }] }
  assert.equal(canonicalJson(one), canonicalJson(other))
  assert.equal(canonicalJson({ __proto__: null, a: -0 }), '{"a":0}')
})

test('sorts the members within arrays, and escapes in arrays without members too', () => {
  assert.equal(canonicalJson([1, { b: 'x', a: [] }, 'y', null, [[]]]), '[1,{"a":[],"b":"x"},"y",null,[[]]]')
  assert.equal(canonicalJson({ a: ['"', '\n', 1e30, true, null], b: {} }), '{"a":["\\"","\\n",1e+30,true,null],"b":{}}')
  assert.equal(canonicalJson(['', { a: '' }, '']), '["",{"a":""},""]')
})
