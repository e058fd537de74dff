// Which rules apply until a tenant publishes its own? Each has a case in which it fires and one in which it does not.

import type { RuleSet } from './rule.ts'
import { ruleSetOf, type WrittenRule } from './rule-set.ts'

// Texts for the user. They do not name what was detected.
const tryAnother = 'We could not confirm this device. Please use another one, or contact support.'
const confirm = 'Please confirm that it is you: we need one more step before you can continue.'
const confirmNumber = 'We could not confirm your phone number. Please confirm that it is you in another way.'
const checkDevice = 'We could not confirm this device. Please confirm that it is you, or use another device.'
const checkLocation =
  'We could not confirm where you are. Please turn off apps that change your location, or confirm that it is you.'
const checkScreen =
  'Your screen is being shared. Please stop sharing it, and do not continue if somebody asked you to do this.'

const written: WrittenRule[] = [
  {
    id: 'high-risk',
    name: 'High risk score',
    description: 'The session or device risk score is over 70.',
    when: 'sessionRiskScore > 70 or deviceRiskScore > 70',
    action: 'BLOCK',
    score: 70,
    message: tryAnother,
    cases: [{ fires: { deviceRiskScore: 70.1 } }, { silent: { sessionRiskScore: 70, deviceRiskScore: 70 } }],
  },
  {
    id: 'raised-risk',
    name: 'Raised risk score',
    description: 'The session or device risk score is over 30, and neither is over 70.',
    when: '(sessionRiskScore > 30 or deviceRiskScore > 30) and not (sessionRiskScore > 70 or deviceRiskScore > 70)',
    action: 'WARN',
    score: 30,
    message: confirm,
    cases: [
      { fires: { sessionRiskScore: 30.1, deviceRiskScore: 70 } },
      { silent: { sessionRiskScore: 30, deviceRiskScore: 30 } },
      { silent: { sessionRiskScore: 31, deviceRiskScore: 71 } },
    ],
  },
  {
    id: 'bad-bot',
    name: 'Automated browser',
    description: 'Automation other than a verified crawler or agent.',
    when: 'signals.bot == "bad"',
    action: 'BLOCK',
    score: 80,
    message: tryAnother,
    cases: [{ fires: { 'signals.bot': 'bad' } }, { silent: { 'signals.bot': 'good' } }],
  },
  {
    id: 'hooked-app',
    name: 'App hooked or modified',
    description: 'Foreign code runs inside the app, or its binary was modified.',
    when: 'hooking or appTampering or signals.frida',
    action: 'BLOCK',
    score: 80,
    message: tryAnother,
    cases: [{ fires: { hooking: true } }, { silent: { hooking: false, appTampering: false } }],
  },
  {
    id: 'known-bad-device',
    name: 'Device used in earlier fraud',
    description: 'Earlier reports of the device are labelled as fraud, chargeback, account takeover or abuse.',
    when: 'history.badReports >= 1',
    action: 'BLOCK',
    score: 90,
    message: tryAnother,
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
    message: checkDevice,
    cases: [
      { fires: { 'history.linkedBadReports': 1, 'history.badReports': 0 } },
      { silent: { 'history.linkedBadReports': 0, 'history.badReports': 0 } },
      { silent: { 'history.linkedBadReports': 1, 'history.badReports': 1 } },
    ],
  },
  {
    id: 'swapped-sim-new-device',
    name: 'New device after a SIM swap',
    description:
      'Typical of an account takeover: the SIM was swapped recently and the device is new, or new to the account.',
    when: 'telecom.simSwap.swapped and (newDevice or account.knownDevice == "no")',
    action: 'BLOCK',
    score: 90,
    message: tryAnother,
    cases: [
      { fires: { 'telecom.simSwap.swapped': true, newDevice: true } },
      { fires: { 'telecom.simSwap.swapped': true, newDevice: false, 'account.knownDevice': 'no' } },
      { silent: { 'telecom.simSwap.swapped': true, newDevice: false } },
      { silent: { 'telecom.simSwap.swapped': true, newDevice: false, 'account.knownDevice': 'yes' } },
    ],
  },
  {
    id: 'swapped-sim',
    name: 'Recent SIM swap',
    when: 'telecom.simSwap.swapped',
    action: 'WARN',
    score: 50,
    message: confirmNumber,
    cases: [{ fires: { 'telecom.simSwap.swapped': true } }, { silent: { 'telecom.simSwap.swapped': false } }],
  },
  {
    id: 'calls-forwarded',
    name: 'Calls are forwarded',
    description: 'Someone else may receive a one-time code sent by voice call.',
    when: 'telecom.callForwarding.active',
    action: 'WARN',
    score: 40,
    message: confirmNumber,
    cases: [
      { fires: { 'telecom.callForwarding.active': true } },
      { silent: { 'telecom.callForwarding.active': false } },
    ],
  },
  {
    id: 'new-device-for-account',
    name: 'New device for the account',
    description:
      'The account has proven sessions, and none of them on this device. Ask for another proof, such as a one-time code.',
    when: 'account.knownDevice == "no" and account.sessions >= 1',
    action: 'CHALLENGE',
    score: 40,
    message: confirm,
    cases: [
      { fires: { 'account.knownDevice': 'no', 'account.sessions': 1 } },
      { silent: { 'account.knownDevice': 'likely', 'account.sessions': 1 } },
      { silent: { 'account.knownDevice': 'no', 'account.sessions': 0 } },
    ],
  },
  {
    id: 'impossible-travel',
    name: 'Impossible travel',
    description: 'Nobody travels from the place of the last proven session to this one in the time between.',
    when: 'account.travel.impossible',
    action: 'CHALLENGE',
    score: 60,
    message: confirm,
    cases: [{ fires: { 'account.travel.impossible': true } }, { silent: { 'account.travel.impossible': false } }],
  },
  {
    id: 'rooted',
    name: 'Jailbroken or rooted device',
    when: 'jailbroken or signals.rootApps',
    action: 'WARN',
    score: 40,
    message: checkDevice,
    cases: [{ fires: { jailbroken: true } }, { silent: { jailbroken: false, 'signals.rootApps': false } }],
  },
  {
    id: 'no-real-device',
    name: 'Simulator or emulator',
    when: 'simulator or signals.emulator',
    action: 'WARN',
    score: 50,
    message: checkDevice,
    cases: [{ fires: { 'signals.emulator': true } }, { silent: { simulator: false } }],
  },
  {
    id: 'cloned-app',
    name: 'Cloned app',
    when: 'cloned or signals.clonedApp',
    action: 'WARN',
    score: 40,
    message: checkDevice,
    cases: [{ fires: { cloned: true } }, { silent: { cloned: false, 'signals.clonedApp': false } }],
  },
  {
    id: 'contradicting-device',
    name: 'The device reports contradictory data',
    description: 'For example, a changed user agent or a patched browser.',
    when: 'signals.tampering or signals.anomalyScore > 0.5',
    action: 'WARN',
    score: 50,
    message: checkDevice,
    cases: [{ fires: { 'signals.anomalyScore': 0.6 } }, { silent: { 'signals.anomalyScore': 0.5 } }],
  },
  {
    id: 'faked-location',
    name: 'Faked location',
    when: 'geoSpoofed or signals.locationSpoofing',
    action: 'WARN',
    score: 40,
    message: checkLocation,
    cases: [{ fires: { geoSpoofed: true } }, { silent: { geoSpoofed: false } }],
  },
  {
    id: 'mirrored-transaction',
    name: 'Transaction on a mirrored screen',
    description: 'Someone may be watching or guiding the user.',
    when: 'mirroredScreen and updateInfo.userEventType == "TRANSACTION"',
    action: 'WARN',
    score: 40,
    message: checkScreen,
    cases: [
      { fires: { mirroredScreen: true, 'updateInfo.userEventType': 'TRANSACTION' } },
      { silent: { mirroredScreen: true, 'updateInfo.userEventType': 'LOGIN' } },
    ],
  },
  {
    id: 'many-accounts',
    name: 'Many accounts on one device',
    when: 'velocity.accountsPerDevice24h >= 5 or velocity.phoneNumbersPerDevice24h >= 5',
    action: 'WARN',
    score: 50,
    message: checkDevice,
    cases: [
      { fires: { 'velocity.accountsPerDevice24h': 5 } },
      { silent: { 'velocity.accountsPerDevice24h': 4, 'velocity.phoneNumbersPerDevice24h': 4 } },
    ],
  },
  {
    id: 'risky-address',
    name: 'IP address with a bad reputation',
    when: 'ipDetails.fraudScore > 75',
    action: 'WARN',
    score: 30,
    message: confirm,
    cases: [{ fires: { 'ipDetails.fraudScore': 76 } }, { silent: { 'ipDetails.fraudScore': 75 } }],
  },
]

export const defaultRules: RuleSet = ruleSetOf({ rules: written })
