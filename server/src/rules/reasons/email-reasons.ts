// What can a decision find in an email address, and in the accounts of its mailbox?

import type { InputReason } from './reason.ts'

export const emailReasons: readonly InputReason[] = [
  {
    // Whoever signs up so wants no mail later; a customer who pays with one is known otherwise.
    code: 'EMAIL_DISPOSABLE',
    source: 'email.domain',
    weight: 35,
    when: 'action == "SIGNUP" and email.disposable',
    text: ({ email }) => `The domain of the email address is disposable: ${email?.domain}`,
    cases: [
      { fires: { action: 'SIGNUP', 'email.disposable': true, 'email.domain': 'mailinator.com' } },
      { silent: { action: 'SIGNUP', 'email.disposable': false, 'email.domain': 'shop.example' } },
      { silent: { action: 'LOGIN', 'email.disposable': true, 'email.domain': 'mailinator.com' } },
    ],
  },
  {
    // Honest people mistype their address: ask them. Nothing speaks against the person.
    code: 'EMAIL_TYPING_ERROR',
    source: 'email.domain',
    weight: 0,
    when: 'exists email.suggestedDomain',
    text: ({ email }) => `The email address may have a typing error: ${email?.domain}, meant ${email?.suggestedDomain}`,
    cases: [
      { fires: { 'email.domain': 'gmial.com', 'email.suggestedDomain': 'gmail.com' } },
      { silent: { 'email.domain': 'gmail.com' } },
    ],
  },
  {
    // Small firms have only this one.
    code: 'EMAIL_OF_A_ROLE',
    source: 'email.address',
    weight: 2,
    when: 'action == "SIGNUP" and email.role',
    text: 'The email address belongs to a function such as info or support, and not to a person',
    cases: [
      { fires: { action: 'SIGNUP', 'email.role': true } },
      { silent: { action: 'SIGNUP', 'email.role': false } },
      { silent: { action: 'PAYMENT', 'email.role': true } },
    ],
  },
  {
    // As much as five accounts on a device in a day. Not at login: anybody can sign up with the address of somebody else.
    code: 'MAILBOX_OF_MANY_ACCOUNTS',
    source: 'email.mailbox',
    weight: 35,
    when: 'action == "SIGNUP" and velocity.accountsPerMailbox30d >= 5',
    text: ({ velocity }) => `${velocity?.accountsPerMailbox30d} accounts share the mailbox within 30 days`,
    cases: [
      { fires: { action: 'SIGNUP', 'velocity.accountsPerMailbox30d': 5 } },
      { silent: { action: 'SIGNUP', 'velocity.accountsPerMailbox30d': 4 } },
      { silent: { action: 'LOGIN', 'velocity.accountsPerMailbox30d': 5 } },
    ],
  },
]
