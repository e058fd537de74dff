// What does an Android phone of the fraud story send? The facts of the sample with other ids, and what is on it at the moment.

import { createHash } from 'node:crypto'
import { type AndroidFacts, readSamples } from '@ringfence/contract'
import { newInstallationKey } from '../../../server/src/testing/installation-key.ts'
import { type StoryBrowser, visitor } from './browser.ts'

export interface StoryPhone {
  /** The phone, while this is on it. */
  during(facts: AndroidFacts): StoryBrowser
}

const sample = readSamples().AndroidFacts!.everything as AndroidFacts

/** The same owner is the same phone. */
export function storyPhone(owner: string): StoryPhone {
  const key = newInstallationKey()
  const id = createHash('sha256').update(owner).digest('hex')
  const { location: _, ...own } = { ...sample, drmId: id, androidId: id.slice(0, 16) }
  const headers = { 'user-agent': 'okhttp/5.0.0' }
  return {
    during: (facts) => visitor({ platform: 'ANDROID', shown: () => ({ facts: { ...own, ...facts }, headers }), key }),
  }
}
