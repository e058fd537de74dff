import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../testdata/recordings.ts'
import { incognito } from './incognito.ts'

const chromium = recorded('chromium-ordinary')
const firefox = recorded('firefox-ordinary')
const webkit = recorded('webkit-ordinary')
const judge = (evidence: typeof chromium, facts: typeof chromium.facts) =>
  incognito.judge({ ...evidence, facts: { ...evidence.facts, ...facts } })?.verdict

test('Chromium asks another process for files of a private window', () => {
  assert.equal(judge(chromium, { fileSystem: { callMicros: 3 } }), false)
  assert.equal(judge(chromium, { fileSystem: { callMicros: 180 } }), true)
})

test('Firefox refuses a private window the file system, and a site that may keep nothing says nothing', () => {
  const refused = { fileSystem: { error: 'SecurityError' } }
  assert.equal(judge(firefox, refused), true)
  assert.equal(judge(firefox, { ...refused, storage: { localStorage: false } }), undefined)
})

test('WebKit keeps no file in a database of a private window, or refuses the file system', () => {
  assert.equal(judge(webkit, { blobStorage: 'kept' }), false)
  assert.equal(judge(webkit, { blobStorage: 'UnknownError' }), true)
  assert.equal(judge(webkit, { fileSystem: { error: 'UnknownError' } }), true)
})

test('where the page may have no worker, a Chromium is not judged', () => {
  const { fileSystem: _, ...facts } = chromium.facts
  assert.equal(incognito.judge({ ...chromium, facts }), undefined)
})
