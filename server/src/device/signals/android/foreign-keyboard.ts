// Detects a keyboard that did not come with the system.

import { flag } from '../../../core/path-types.ts'
import { flagOf } from '../flag-of.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** A keyboard reads what is typed. Many people install one, so it weighs nothing: rules may read it beside others. */
export const foreignKeyboard = signal({
  name: 'foreignKeyboard',
  question: 'Did the keyboard in use not come with the system?',
  version: 1,
  platforms: ['ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { package: name = 'a package without a name', isSystem } = evidence.facts.inputMethod ?? {}
    return flagOf(evidence, ['inputMethod'], isSystem === false ? [name] : [])
  },
  report: {
    field: 'foreignKeyboard',
    value: resultOf,
    rule: {
      type: flag('The keyboard in use did not come with the system (Android)'),
      read: ({ foreignKeyboard }) => foreignKeyboard,
    },
  },
})
