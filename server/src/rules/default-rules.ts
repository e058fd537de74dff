// Which rules apply until a tenant publishes its own? Each has a case in which it fires and one in which it does not.

import { emailRules } from './defaults/email-rules.ts'
import type { RuleSet } from './rule.ts'
import { ruleSetOf, type WrittenRule } from './rule-set.ts'

// Texts for the user. They do not name what was detected. Only CHALLENGE asks for a proof: after WARN the person continues.
const tryAnother = 'We could not confirm this device. Please use another one, or contact support.'
const otherAccount =
  'You are signed in with another account. Please sign out and sign in with the right one, or contact support.'
const confirm = 'Please confirm that it is you: we need one more step before you can continue.'
const confirmNumber = 'We could not confirm your phone number. Please confirm that it is you in another way.'
const unusual = 'Something about this visit is unusual. If this is not you, please contact support.'
const limitedNumber = 'We could not confirm your phone number. Some things may not be possible with it.'
const limitedDevice = 'We could not confirm this device. Some things may not be possible on it.'
const limitedPlace = 'We could not confirm where you are. Please turn off apps that change your location.'
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
    message: unusual,
    cases: [
      { fires: { sessionRiskScore: 30.1, deviceRiskScore: 70 } },
      { silent: { sessionRiskScore: 30, deviceRiskScore: 30 } },
      { silent: { sessionRiskScore: 31, deviceRiskScore: 71 } },
    ],
  },
  {
    id: 'high-score',
    name: 'High score of the decision',
    description: 'The reasons of the decision make a score over 70, where the device alone does not.',
    when: 'score > 70 and not (sessionRiskScore > 70 or deviceRiskScore > 70)',
    action: 'BLOCK',
    score: 70,
    message: tryAnother,
    cases: [
      { fires: { score: 70.1 } },
      { fires: { score: 71, sessionRiskScore: 40, deviceRiskScore: 70 } },
      { silent: { score: 70 } },
      { silent: { score: 80, deviceRiskScore: 75 } },
    ],
  },
  {
    id: 'raised-score',
    name: 'Raised score of the decision',
    description: 'The reasons of the decision make a score from 30 to 70, where the device alone does not.',
    when: 'score > 30 and score <= 70 and not (sessionRiskScore > 30 or deviceRiskScore > 30)',
    action: 'WARN',
    score: 30,
    message: unusual,
    cases: [
      { fires: { score: 30.1, deviceRiskScore: 30 } },
      { silent: { score: 30 } },
      { silent: { score: 70.1 } },
      { silent: { score: 50, sessionRiskScore: 31 } },
    ],
  },
  {
    id: 'login-of-another-user',
    name: 'Sign-in of another user',
    description: 'The token belongs to another user than the one you named.',
    when: 'missing.login == "other-user"',
    action: 'BLOCK',
    score: 90,
    message: otherAccount,
    cases: [{ fires: { 'missing.login': 'other-user' } }, { silent: { 'missing.login': 'not-linked' } }],
  },
  {
    id: 'contradicting-parts',
    name: 'Device of somebody else',
    description: 'The device report names another user or phone number than the ones you named.',
    when: 'missing.device in ("other-user", "other-number")',
    action: 'BLOCK',
    score: 90,
    message: tryAnother,
    cases: [
      { fires: { 'missing.device': 'other-user' } },
      { fires: { 'missing.device': 'other-number' } },
      { silent: { 'missing.device': 'unknown' } },
    ],
  },
  {
    id: 'unknown-parts',
    name: 'Sign-in or device not known',
    description:
      'The page sent a token or a dfrId that is unknown or has expired, or a report that served other users, so that it says nothing.',
    when: 'missing.login in ("unknown", "expired", "no-sign-in") or missing.device in ("unknown", "expired", "reused")',
    action: 'CHALLENGE',
    score: 40,
    message: confirm,
    cases: [
      { fires: { 'missing.login': 'unknown' } },
      { fires: { 'missing.login': 'expired' } },
      { fires: { 'missing.device': 'expired' } },
      { fires: { 'missing.device': 'reused' } },
      { name: 'a failure of ours', silent: { 'missing.login': 'failed', 'missing.device': 'deadline' } },
    ],
  },
  {
    id: 'incomplete-device',
    name: 'Device report with gaps',
    description: 'The report lacks facts that its platform always sends, or nothing proves that it is of a phone.',
    when: 'missing.device in ("incomplete", "unattested")',
    action: 'CHALLENGE',
    score: 40,
    message: confirm,
    cases: [
      { fires: { 'missing.device': 'incomplete' } },
      { fires: { 'missing.device': 'unattested' } },
      { silent: { 'missing.device': 'deadline' } },
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
    message: limitedDevice,
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
      'Typical of an account takeover: the SIM was swapped recently and the device is new, new to the account, or unknown.',
    when: 'telecom.simSwap.swapped and (newDevice or account.knownDevice == "no" or missing.device in ("unknown", "expired", "reused"))',
    action: 'BLOCK',
    score: 90,
    message: tryAnother,
    cases: [
      { fires: { 'telecom.simSwap.swapped': true, newDevice: true } },
      { fires: { 'telecom.simSwap.swapped': true, newDevice: false, 'account.knownDevice': 'no' } },
      { fires: { 'telecom.simSwap.swapped': true, 'missing.device': 'unknown' } },
      { silent: { 'telecom.simSwap.swapped': true, newDevice: false } },
      { silent: { 'telecom.simSwap.swapped': true, 'missing.device': 'deadline' } },
      { silent: { 'telecom.simSwap.swapped': true, newDevice: false, 'account.knownDevice': 'yes' } },
    ],
  },
  {
    id: 'swapped-sim',
    name: 'Recent SIM swap',
    description:
      'Whoever has the new SIM receives the one-time codes, and can sign in: ask for a proof other than the phone number.',
    when: 'telecom.simSwap.swapped',
    action: 'CHALLENGE',
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
    message: limitedNumber,
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
    id: 'other-device',
    name: 'Signed in on another device',
    description:
      'The token is of a sign-in on another device than that of the report: somebody may have stolen it. Not for magic links.',
    when: 'login.otherDevice',
    action: 'CHALLENGE',
    score: 50,
    message: confirm,
    cases: [{ fires: { 'login.otherDevice': true } }, { silent: { 'login.otherDevice': false } }],
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
    message: limitedDevice,
    cases: [{ fires: { jailbroken: true } }, { silent: { jailbroken: false, 'signals.rootApps': false } }],
  },
  {
    id: 'no-real-device',
    name: 'Simulator or emulator',
    when: 'simulator or signals.emulator',
    action: 'WARN',
    score: 50,
    message: limitedDevice,
    cases: [{ fires: { 'signals.emulator': true } }, { silent: { simulator: false } }],
  },
  {
    id: 'cloned-app',
    name: 'Cloned app',
    when: 'cloned or signals.clonedApp',
    action: 'WARN',
    score: 40,
    message: limitedDevice,
    cases: [{ fires: { cloned: true } }, { silent: { cloned: false, 'signals.clonedApp': false } }],
  },
  {
    id: 'contradicting-device',
    name: 'The device reports contradictory data',
    description: 'For example, a changed user agent or a patched browser.',
    when: 'signals.tampering or signals.anomalyScore > 0.5',
    action: 'WARN',
    score: 50,
    message: limitedDevice,
    cases: [{ fires: { 'signals.anomalyScore': 0.6 } }, { silent: { 'signals.anomalyScore': 0.5 } }],
  },
  {
    id: 'faked-location',
    name: 'Faked location',
    when: 'geoSpoofed or signals.locationSpoofing',
    action: 'WARN',
    score: 40,
    message: limitedPlace,
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
    message: limitedDevice,
    cases: [
      { fires: { 'velocity.accountsPerDevice24h': 5 } },
      { silent: { 'velocity.accountsPerDevice24h': 4, 'velocity.phoneNumbersPerDevice24h': 4 } },
    ],
  },
  ...emailRules,
  {
    id: 'reused-report',
    name: 'Device report of several users',
    description:
      'A report serves one session. Somebody may replay that of a clean device; a kiosk that makes none for each person is honest.',
    when: 'reportSubjects >= 2',
    action: 'WARN',
    score: 50,
    message: limitedDevice,
    cases: [{ fires: { reportSubjects: 2 } }, { silent: { reportSubjects: 1 } }],
  },
  {
    id: 'risky-address',
    name: 'IP address with a bad reputation',
    when: 'ipDetails.fraudScore > 75',
    action: 'WARN',
    score: 30,
    message: unusual,
    cases: [{ fires: { 'ipDetails.fraudScore': 76 } }, { silent: { 'ipDetails.fraudScore': 75 } }],
  },
]

export const defaultRules: RuleSet = ruleSetOf({ rules: written })
