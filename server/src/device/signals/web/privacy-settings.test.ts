import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../../testdata/recordings.ts'
import { privacySettings } from './privacy-settings.ts'
import { tampering } from './tampering.ts'

test('the blurred canvas of an ordinary Firefox is neither a privacy setting nor tampering', () => {
  const firefox = recorded('firefox-ordinary')
  const blurred = { ...firefox, facts: { ...firefox.facts, canvas: { isExact: true, isStable: false } } }
  assert.equal(privacySettings.judge(blurred)?.verdict.result, false)
  assert.equal(tampering.judge(blurred)?.verdict.result, false)
})

test('resistFingerprinting is a privacy setting', () => {
  assert.equal(privacySettings.judge(recorded('firefox-resist-fingerprinting'))?.verdict.result, true)
})

test('noise in Brave is a privacy setting, the same noise in another Chromium is tampering', () => {
  const chromium = recorded('chromium-ordinary')
  const noisy = { ...chromium, facts: { ...chromium.facts, pageCanvasExact: false } }
  assert.equal(privacySettings.judge(noisy)?.verdict.result, false)
  assert.equal(tampering.judge(noisy)?.verdict.result, true)
  const brands = [...(chromium.facts.clientHints?.brands ?? []), { brand: 'Brave', version: '156' }]
  const brave = { ...noisy, facts: { ...noisy.facts, clientHints: { ...chromium.facts.clientHints, brands } } }
  assert.equal(privacySettings.judge(brave)?.verdict.result, true)
  assert.equal(tampering.judge(brave)?.verdict.result, false)
  const { clientHints: _, ...late } = noisy.facts
  const header = `${chromium.headers['sec-ch-ua']}, "Brave";v="156"`
  const byHeader = { ...noisy, facts: late, headers: { ...chromium.headers, 'sec-ch-ua': header } }
  assert.notEqual(tampering.judge(byHeader)?.verdict.result, true, 'its hints came too late')
  assert.equal(privacySettings.judge(byHeader)?.verdict.result, true)
  const insecure = { ...noisy, facts: late, headers: { 'user-agent': chromium.facts.userAgent } }
  assert.deepEqual([tampering.judge(insecure), privacySettings.judge(insecure)], [undefined, undefined])
})
