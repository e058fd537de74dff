// Which default rules read an email address? They warn at sign-up and stop nobody: honest people use such addresses too.

import type { WrittenRule } from '../rule-set.ts'

/** For the user; it does not name what was found. */
const message = 'Something about this sign-up is unusual. If you need help, please contact support.'

export const emailRules: readonly WrittenRule[] = [
  {
    id: 'disposable-email',
    name: 'Sign-up with a disposable email address',
    description: 'Nobody will read mail there later. Ask for a phone number, or allow the domain in a list of yours.',
    when: 'action == "SIGNUP" and email.disposable',
    action: 'WARN',
    score: 35,
    message,
    cases: [
      { fires: { action: 'SIGNUP', 'email.disposable': true } },
      { silent: { action: 'SIGNUP', 'email.disposable': false } },
      { silent: { action: 'LOGIN', 'email.disposable': true } },
    ],
  },
  {
    id: 'many-accounts-of-mailbox',
    name: 'Many accounts of one mailbox',
    description: 'Five users or more signed up or in with addresses that reach one mailbox, such as `+tag`.',
    when: 'action == "SIGNUP" and velocity.accountsPerMailbox30d >= 5',
    action: 'WARN',
    score: 50,
    message,
    cases: [
      { fires: { action: 'SIGNUP', 'velocity.accountsPerMailbox30d': 5 } },
      { silent: { action: 'SIGNUP', 'velocity.accountsPerMailbox30d': 4 } },
      { silent: { action: 'LOGIN', 'velocity.accountsPerMailbox30d': 9 } },
    ],
  },
]
