import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '../../analysis/evidence.ts'
import { recorded } from '../../testdata/recordings.ts'
import { tampering } from './tampering.ts'

const ordinary = recorded('chromium-ordinary')
const { facts } = ordinary
const score = (more: Partial<Evidence>) => tampering.judge({ ...ordinary, ...more })?.verdict.anomalyScore

test('a score above 0.5 is tampering', () => {
  assert.deepEqual(tampering.judge(ordinary)?.verdict, { result: false, anomalyScore: 0 })
  const spoofed = tampering.judge({ ...ordinary, facts: { ...facts, platform: 'Win32' } })?.verdict
  assert.ok(spoofed?.result && spoofed.anomalyScore > 0.5 && spoofed.anomalyScore <= 1)
})

test('compares every place where a browser describes itself with the others', () => {
  const worker = facts.workerScope
  const hints = facts.clientHints
  const { clientHints: _, workerScope: __, ...plain } = facts
  const contradictions: Record<string, Partial<Evidence>> = {
    'header and page': {
      headers: { ...ordinary.headers, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/155.0.0.0' },
    },
    'a Chromium without hints': { headers: { 'user-agent': facts.userAgent, 'sec-fetch-site': 'same-origin' } },
    'cores in a worker': { facts: { ...facts, workerScope: { ...worker, hardwareConcurrency: 64 } } },
    'clock in a worker': {
      facts: { ...facts, workerScope: { ...worker, timezoneOffset: facts.timezoneOffset! + 30 } },
    },
    'zone in a worker and clock of the page': { facts: { ...facts, timezoneOffset: facts.timezoneOffset! + 90 } },
    'zone in a worker': { facts: { ...facts, workerScope: { ...worker, timezone: 'Asia/Tokyo' } } },
    'made-up brand': { headers: { ...ordinary.headers, 'sec-ch-ua': '"Chromium";v="156", "Not)A;Brand";v="24"' } },
    'no versions in hints': { facts: { ...facts, clientHints: { ...hints, fullVersionList: [] } } },
    'another engine': { facts: { ...facts, engine: { ...facts.engine, isV8: false, nativeTextLength: 38 } } },
    'a user agent that names no engine': {
      facts: { ...plain, userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
    },
    'an older engine': { facts: { ...facts, engine: { ...facts.engine, features: ['Array.prototype.toSorted'] } } },
    'replaced functions': { facts: { ...facts, alteredFunctions: ['Navigator.webdriver'] } },
    'noise on a canvas': { facts: { ...facts, pageCanvasExact: false } },
    'impossible facts': { malformedFacts: ['screen'] },
  }
  for (const [name, more] of Object.entries(contradictions)) assert.ok(score(more)! > 0.5, `${name}: ${score(more)}`)
})

test('a contradiction that ordinary browsers may show is not enough alone', () => {
  assert.ok(score({ headers: { ...ordinary.headers, 'accept-language': 'fr-FR' } })! <= 0.5)
  assert.ok(score({ facts: { ...facts, timezoneOffset: 60 } })! <= 0.5)
  assert.equal(score({ facts: { ...facts, alteredFunctions: ['Function.toString'] } }), 0, 'error reporters wrap it')
})

test('missing client hints on an insecure page are no contradiction', () => {
  assert.equal(score({ headers: { 'user-agent': facts.userAgent } }), 0)
})

test('the device token of other hardware is tampering; a forged token alone is not', () => {
  assert.equal(tampering.judge({ ...ordinary, deviceToken: 'known' })?.verdict.anomalyScore, 0)
  assert.equal(tampering.judge({ ...ordinary, deviceToken: 'forged' })?.verdict.result, false)
  assert.equal(tampering.judge({ ...ordinary, deviceToken: 'foreign' })?.verdict.result, true)
})
