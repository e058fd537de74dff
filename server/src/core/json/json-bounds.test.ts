import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exceededBound } from './json-bounds.ts'

const none = { members: 1e9, depth: 1e9, textBytes: 1e9 }
const exceeds = (text: string, bounds: Partial<typeof none>) =>
  exceededBound(Buffer.from(text), { ...none, ...bounds }) !== undefined

interface Size {
  members: number
  depth: number
  textBytes: number
}

/** The same, of the parsed value. */
function sizeOf(value: unknown): Size {
  if (typeof value === 'string')
    return { members: 0, depth: 0, textBytes: Buffer.byteLength(JSON.stringify(value)) - 2 }
  if (typeof value !== 'object' || value === null) return { members: 0, depth: 0, textBytes: 0 }
  const parts = Object.values(value).map(sizeOf)
  const names = Array.isArray(value) ? [] : Object.keys(value).map((name) => sizeOf(name).textBytes)
  return {
    members: Math.max(1, parts.length) + parts.reduce((sum, { members }) => sum + members, 0),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    textBytes: Math.max(0, ...names, ...parts.map(({ textBytes }) => textBytes)),
  }
}

test('counts members, depth and the longest text of any JSON as its value has them', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const { members, depth, textBytes } = sizeOf(value)
      assert.equal(exceeds(text, { members, depth, textBytes }), false)
      if (members > 0) assert.equal(exceeds(text, { members: members - 1 }), true)
      if (depth > 0) assert.equal(exceeds(text, { depth: depth - 1 }), true)
      if (textBytes > 0) assert.equal(exceeds(text, { textBytes: textBytes - 1 }), true)
    }),
    { numRuns: 500 },
  )
})

test('counts nothing inside a text, escaped quotes and backslashes included', () => {
  for (const text of [String.raw`"\"{[,:"`, String.raw`"\\\"[[[["`, String.raw`"\\"`, String.raw`{"\u0022,\"[":"[\\"}`])
    assert.equal(exceeds(text, { members: 1, depth: 1 }), false, text)
  assert.equal(exceeds(String.raw`["\\",1]`, { members: 1 }), true)
})

test('never fails, whatever the bytes, and stops at an end that is missing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      exceededBound(bytes, { members: 3, depth: 2, textBytes: 5 })
    }),
  )
  for (const text of ['"', '"\\', '{"a', '[[[', '']) assert.equal(exceeds(text, {}), false)
})

test('refuses names of more than 512 bytes and numbers of more than 1024 characters', () => {
  assert.equal(exceeds(`{"${'n'.repeat(512)}":1}`, {}), false)
  assert.equal(exceeds(`{"${'n'.repeat(513)}":1}`, {}), true)
  assert.equal(exceeds(`[${'1'.repeat(1024)}]`, {}), false)
  assert.equal(exceeds(`[${'1'.repeat(1025)}]`, {}), true)
  assert.equal(exceeds(`[1e${'9'.repeat(2000)}]`, {}), true)
})
