// Is this a second instance of the app, made by somebody else than its owner?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** By its own name, which a cloner has to change, and on Android by the folder of another app that it runs in. */
export const clonedApp: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { appIntegrity }, packageName }) {
    const { bundleId, dataFolder } = appIntegrity ?? {}
    if (packageName === undefined || (bundleId === undefined && dataFolder === undefined)) return undefined
    const isElsewhere = dataFolder !== undefined && !dataFolder.replace(/\/$/, '').endsWith(`/${packageName}`)
    const reasons = [
      ...(bundleId !== undefined && bundleId !== packageName ? [`the app calls itself ${bundleId}`] : []),
      ...(isElsewhere ? [`its data are in ${dataFolder}`] : []),
    ]
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
}
