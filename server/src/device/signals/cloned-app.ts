// Detects a clone of the app, by its bundle id, its data folder and the counter of its App Attest key.

import { flag } from '../../core/path-types.ts'
import { flagOf } from './flag-of.ts'
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
  version: 3,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { facts, attestation, packageName } = evidence
    const { bundleId = packageName, dataFolder } = facts.appIntegrity ?? {}
    const copiedKey =
      attestation?.state === 'refused' && attestation.isClone ? [`App Attest: ${attestation.because}`] : []
    const isElsewhere = dataFolder !== undefined && ownFolder.exec(dataFolder)?.[4] !== packageName
    const otherNames = [
      ...(bundleId === packageName ? [] : [`bundle id ${bundleId}`]),
      ...(isElsewhere ? [`data folder ${dataFolder}`] : []),
    ]
    if (packageName === undefined) return copiedKey.length > 0 ? flagOf(evidence, [], copiedKey) : undefined
    return flagOf(evidence, ['appIntegrity'], [...otherNames, ...copiedKey])
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
