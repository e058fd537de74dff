// Detects a clone of the app, by its bundle id and its data folder.

import { flag } from '../../rules/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** A clone needs another bundle id. On Android it may run in the data folder of the app that cloned it. */
export const clonedApp = signal({
  name: 'clonedApp',
  question: 'Is this a second instance of the app, made by somebody other than its owner?',
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { appIntegrity }, packageName }): Finding<FlagResult> | undefined {
    const { bundleId, dataFolder } = appIntegrity ?? {}
    if (packageName === undefined || (bundleId === undefined && dataFolder === undefined)) return undefined
    const isElsewhere = dataFolder !== undefined && !dataFolder.replace(/\/$/, '').endsWith(`/${packageName}`)
    const reasons = [
      ...(bundleId !== undefined && bundleId !== packageName ? [`bundle id ${bundleId}`] : []),
      ...(isElsewhere ? [`data folder ${dataFolder}`] : []),
    ]
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
  weights: {
    clonedApp: { fires: resultOf, session: 0.4, because: 'a cloned instance of the app', suspect: { ANDROID: 9 } },
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
