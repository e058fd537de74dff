// Detects an installed app by which somebody else can see or control the phone.

import { flag } from '../../../core/path-types.ts'
import { flagOf } from '../flag-of.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** Of the few apps that the integrator's manifest names. People have them for their work, so it says little alone. */
export const remoteAccess = signal({
  name: 'remoteAccess',
  question: 'Is an app for remote access installed?',
  version: 1,
  platforms: ['ANDROID'],
  judge: (evidence): Finding<FlagResult> | undefined =>
    flagOf(evidence, ['remoteAccessApps'], evidence.facts.remoteAccessApps ?? []),
  weights: {
    remoteAccess: {
      fires: resultOf,
      session: 0.05,
      because: 'an app for remote access is installed; many have one for their work',
    },
  },
  report: {
    field: 'remoteAccess',
    value: resultOf,
    rule: { type: flag('An app for remote access is installed (Android)'), read: ({ remoteAccess }) => remoteAccess },
  },
})
