// Is this a second instance of the app, made by somebody else than its owner?

import { flag } from '../../rules/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** By its own name, which a cloner has to change, and on Android by the folder of another app that it runs in. */
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
      ...(bundleId !== undefined && bundleId !== packageName ? [`the app calls itself ${bundleId}`] : []),
      ...(isElsewhere ? [`its data are in ${dataFolder}`] : []),
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
    notApplicable: { result: false },
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
