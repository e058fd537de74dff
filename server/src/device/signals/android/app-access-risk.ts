// Does another app see or control the screen? Google Play says so in a token of Play Integrity, without a list of installed apps.

import { flag } from '../../../core/path-types.ts'
import { type Finding, resultOf, signal } from '../signal.ts'

export interface AppAccessRiskResult {
  /** Another app controls the phone or captures its screen. */
  readonly result: boolean
  readonly controlling?: boolean
  readonly capturing?: boolean
  /** Another app can draw over yours. */
  readonly overlays?: boolean
}

/** Such apps are ordinary, and so are accessibility services: it adds a little, and blocks nobody. */
export const appAccessRisk = signal({
  name: 'appAccessRisk',
  question: 'Does another app control the phone or capture its screen?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ playIntegrity }): Finding<AppAccessRiskResult> | undefined {
    const detected = playIntegrity?.state === 'read' ? playIntegrity.accessRisk : undefined
    if (!detected) return undefined
    const some = (what: string) => detected.some((each) => each.endsWith(what))
    const [controlling, capturing, overlays] = [some('_CONTROLLING'), some('_CAPTURING'), some('_OVERLAYS')]
    const result = controlling || capturing
    return { verdict: { result, controlling, capturing, overlays }, reasons: [...detected] }
  },
  weights: {
    appAccessRisk: {
      fires: resultOf,
      session: 0.1,
      because: 'another app controls the phone or captures its screen',
    },
  },
  secureInfo: {
    returnedBy: 'rules',
    unknown: { result: false },
    rules: {
      appControlling: {
        type: flag('Another app controls the phone, as remote access apps do (Play Integrity)'),
        value: ({ controlling }) => controlling,
        read: ({ signals }) => signals?.appControlling,
      },
      appCapturing: {
        type: flag('Another app captures the screen (Play Integrity)'),
        value: ({ capturing }) => capturing,
        read: ({ signals }) => signals?.appCapturing,
      },
    },
  },
})
