import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../../testdata/recordings.ts'
import { incognito } from './incognito.ts'

const chromium = recorded('chromium-ordinary')
const firefox = recorded('firefox-ordinary')
const webkit = recorded('webkit-ordinary')
const judge = (evidence: typeof chromium, facts: typeof chromium.facts) =>
  incognito.judge({ ...evidence, facts: { ...evidence.facts, ...facts } })?.verdict

test('detects a private window of Chromium, whose files another process holds', () => {
  assert.equal(judge(chromium, { fileSystem: { callMicros: 3 } }), false)
  assert.equal(judge(chromium, { fileSystem: { callMicros: 180 } }), true)
})

test('detects a private window of Firefox, which refuses the file system; has no verdict when the site may not store data', () => {
  const refused = { fileSystem: { error: 'SecurityError' } }
  assert.equal(judge(firefox, refused), true)
  assert.equal(judge(firefox, { ...refused, storage: { localStorage: false } }), undefined)
})

test('detects a private window of WebKit, which refuses files in a database, or the file system', () => {
  assert.equal(judge(webkit, { blobStorage: 'kept' }), false)
  assert.equal(judge(webkit, { blobStorage: 'UnknownError' }), true)
  assert.equal(judge(webkit, { fileSystem: { error: 'UnknownError' } }), true)
})

test('has no verdict on a Chromium that allows the page no worker', () => {
  const { fileSystem: _, ...facts } = chromium.facts
  assert.equal(incognito.judge({ ...chromium, facts }), undefined)
})
