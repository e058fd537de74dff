// What does an ordinary phone report? For tests of app signals; each test changes what it tests.

import { type AndroidFacts, type IosFacts, readSamples } from '@ringfence/contract'
import type { Evidence } from '../analysis/evidence.ts'

const samples = readSamples()
const ios = samples.IosFacts!.everything as IosFacts
const android = samples.AndroidFacts!.everything as AndroidFacts

const now = Date.parse('2026-03-01T12:00:00Z')

export const iphone = (changes: Partial<IosFacts> = {}, more: Partial<Evidence> = {}): Evidence => ({
  platform: 'IOS',
  facts: { ...ios, ...changes },
  malformedFacts: [],
  headers: {},
  network: undefined,
  packageName: 'com.example.shop',
  now,
  ...more,
})

export const androidPhone = (changes: Partial<AndroidFacts> = {}, more: Partial<Evidence> = {}): Evidence => ({
  platform: 'ANDROID',
  facts: { ...android, ...changes },
  malformedFacts: [],
  headers: {},
  network: undefined,
  packageName: 'com.example.shop.android',
  now,
  ...more,
})
