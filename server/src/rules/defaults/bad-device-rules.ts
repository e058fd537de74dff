// Which default rules read the labels and lists of a device, of its other installations, and of one that it resembles?

import type { WrittenRule } from '../rule-set.ts'
import * as texts from './texts.ts'

export const badDeviceRules: WrittenRule[] = [
  {
    id: 'known-bad-device',
    name: 'Device used in earlier fraud',
    description: 'Earlier reports of the device are labelled as fraud, chargeback, account takeover or abuse.',
    when: 'history.badReports >= 1',
    action: 'BLOCK',
    score: 90,
    message: texts.tryAnother,
    cases: [{ fires: { 'history.badReports': 1 } }, { silent: { 'history.badReports': 0 } }],
  },
  {
    id: 'linked-bad-device',
    name: 'Linked to earlier fraud',
    description:
      'Reports of another installation of the device are labelled as bad; this installation proved to be another one.',
    when: 'history.linkedBadReports >= 1 and not history.badReports >= 1',
    action: 'WARN',
    score: 30,
    message: texts.limitedDevice,
    cases: [
      { fires: { 'history.linkedBadReports': 1, 'history.badReports': 0 } },
      { silent: { 'history.linkedBadReports': 0, 'history.badReports': 0 } },
      { silent: { 'history.linkedBadReports': 1, 'history.badReports': 1 } },
    ],
  },
  {
    id: 'resembles-bad-device',
    name: 'Resembles a bad device',
    description:
      'The device resembles one with bad labels, or one that you block: it may be the same one with its storage cleared, or of somebody else.',
    when: '(likely.badReports >= 1 or likely.blocked) and not (account.knownDevice == "yes" or history.badReports >= 1)',
    action: 'CHALLENGE',
    score: 50,
    message: texts.confirm,
    cases: [
      { fires: { 'likely.badReports': 1 } },
      { fires: { 'likely.blocked': true, 'account.knownDevice': 'likely' } },
      { silent: { 'likely.badReports': 0, 'likely.blocked': false } },
      { silent: { 'likely.badReports': 1, 'history.badReports': 1 } },
      { name: 'the account proved the device', silent: { 'likely.badReports': 1, 'account.knownDevice': 'yes' } },
    ],
  },
]
