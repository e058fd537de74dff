// Detects a clone of the app, by its bundle id, its data folder and the counter of its App Attest key.

import { flag } from '../../core/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** The folders that Android gives to apps: of a user or profile, before the first unlock, and on an added card. */
const ownFolder = /^(\/data\/data|(\/data|\/mnt\/expand\/[^/]+)\/user(_de)?\/\d+)\/([^/]+)\/?$/

/**
 * A clone needs another bundle id. On Android it may run in the data folder of the app that cloned it, which often ends with the
 * name of the cloned app. A copied App Attest key shows in its counter.
 */
export const clonedApp = signal({
  name: 'clonedApp',
  question: 'Is this a second instance of the app, made by somebody other than its owner?',
  version: 2,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { appIntegrity }, attestation, packageName }): Finding<FlagResult> | undefined {
    const { bundleId, dataFolder } = appIntegrity ?? {}
    const copiedKey =
      attestation?.state === 'refused' && attestation.isClone ? [`App Attest: ${attestation.because}`] : []
    const isKnown = packageName !== undefined && (bundleId !== undefined || dataFolder !== undefined)
    if (!isKnown && copiedKey.length === 0) return undefined
    const isElsewhere = dataFolder !== undefined && ownFolder.exec(dataFolder)?.[4] !== packageName
    const reasons = [
      ...(isKnown && bundleId !== undefined && bundleId !== packageName ? [`bundle id ${bundleId}`] : []),
      ...(isKnown && isElsewhere ? [`data folder ${dataFolder}`] : []),
      ...copiedKey,
    ]
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
  weights: {
    clonedApp: {
      fires: resultOf,
      session: 0.4,
      because: 'this is a cloned instance of the app',
      suspect: { ANDROID: 9 },
    },
  },
  report: {
    field: 'cloned',
    value: resultOf,
    rule: { type: flag('A cloned instance of the app'), read: ({ cloned }) => cloned },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false },
    platforms: ['ANDROID'],
    rules: {
      clonedApp: {
        type: flag('A cloned instance of the app (Android)'),
        value: resultOf,
        read: ({ signals }) => signals?.clonedApp,
      },
    },
  },
})
