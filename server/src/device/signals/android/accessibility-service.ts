// Detects an accessibility service of an app that is no tool for accessibility.

import { flag } from '../../../core/path-types.ts'
import { flagOf } from '../flag-of.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/**
 * Such a service reads and controls the screen, as malware and remote access do. Password managers and automation have one too, and a
 * screen reader of a small maker may not say that it is a tool: it weighs little and blocks nobody.
 */
export const accessibilityService = signal({
  name: 'accessibilityService',
  question: 'Does an app that is no tool for accessibility use an accessibility service?',
  version: 1,
  platforms: ['ANDROID'],
  judge: (evidence): Finding<FlagResult> | undefined =>
    flagOf(evidence, ['accessibilityServices'], evidence.facts.accessibilityServices ?? []),
  weights: {
    accessibilityService: {
      fires: resultOf,
      session: 0.05,
      because: 'an app that is no tool for accessibility can read and control the screen; password managers can too',
    },
  },
  report: {
    field: 'accessibilityService',
    value: resultOf,
    rule: {
      type: flag('An app that is no tool for accessibility can read and control the screen (Android)'),
      read: ({ accessibilityService }) => accessibilityService,
    },
  },
})
