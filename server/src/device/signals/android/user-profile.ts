// Which user of the phone runs the app: its owner, a work profile, or another user?

import { oneOf } from '../../../core/path-types.ts'
import { type Finding, signal } from '../signal.ts'

const profiles = ['MAIN', 'WORK', 'OTHER'] as const
export interface UserProfileResult {
  readonly result: (typeof profiles)[number]
}

/** Employees have work profiles, and families several users. It weighs nothing: rules may read it where accounts are counted. */
export const userProfile = signal({
  name: 'userProfile',
  question: 'Which user of the phone runs the app?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { user } }): Finding<UserProfileResult> | undefined {
    const { isManaged, isSystemUser } = user ?? {}
    if (isManaged) return { verdict: { result: 'WORK' }, reasons: ['a managed profile'] }
    if (isSystemUser) return { verdict: { result: 'MAIN' }, reasons: [] }
    // Before Android 11 an app cannot distinguish a work profile from another user.
    const isOther = isManaged === false && isSystemUser === false
    return isOther ? { verdict: { result: 'OTHER' }, reasons: ['not the first user'] } : undefined
  },
  report: {
    field: 'userProfile',
    value: ({ result }) => result,
    rule: {
      type: oneOf(
        [...profiles],
        'Which user of the phone runs the app: the first one, a work profile, or another (Android)',
      ),
      read: ({ userProfile }) => userProfile,
    },
  },
})
