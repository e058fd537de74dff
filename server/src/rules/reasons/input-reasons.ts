// What can a decision find in the input of its rules? A reason each, with a case in which it applies and one in which it does not.
// What raises the device's scores is not listed here: device-reasons.ts names it.

import { checks, telecomChecks } from '@ringfence/contract'
import type { RuleInput } from '../language/vocabulary.ts'
import { emailReasons } from './email-reasons.ts'
import { phoneReasons } from './phone-reasons.ts'
import type { InputReason } from './reason.ts'

export const inputReasons: readonly InputReason[] = [
  {
    code: 'SIM_SWAPPED',
    source: 'telecom.simSwap',
    weight: 60,
    when: 'telecom.simSwap.swapped',
    text: ({ telecom }) => `The SIM of this number was replaced${within(telecom?.simSwap?.maxAgeHours)}`,
    cases: [
      { fires: { 'telecom.simSwap.swapped': true, 'telecom.simSwap.maxAgeHours': 72 } },
      { silent: { 'telecom.simSwap.swapped': false, 'telecom.simSwap.maxAgeHours': 72 } },
    ],
  },
  {
    code: 'CALLS_FORWARDED',
    source: 'telecom.callForwarding',
    weight: 40,
    when: 'telecom.callForwarding.active',
    text: 'Calls to this number are forwarded to another number',
    cases: [
      { fires: { 'telecom.callForwarding.active': true } },
      { silent: { 'telecom.callForwarding.active': false } },
    ],
  },
  {
    // Of the operator, not of the person: it weighs nothing.
    code: 'PHONE_UNSUPPORTED',
    source: 'telecom.operator',
    weight: 0,
    when: telecomChecks.map((check) => `missing.${check} in ("unsupported", "operator-unknown")`).join(' or '),
    text: ({ missing }) => `No operator can answer for this number: ${unsupportedIn(missing).join(', ')}`,
    cases: [
      { fires: { 'missing.simSwap': 'unsupported' } },
      { fires: { 'missing.callForwarding': 'operator-unknown' } },
      { silent: { 'missing.simSwap': 'operator-timeout' } },
    ],
  },
  {
    // Ordinary: millions of people keep their number when they change operators.
    code: 'NUMBER_PORTED',
    source: 'telecom.portability',
    weight: 5,
    when: 'telecom.portability.ported',
    text: 'This number was ported to another operator',
    cases: [{ fires: { 'telecom.portability.ported': true } }, { silent: { 'telecom.portability.ported': false } }],
  },
  {
    // Travellers have this too, and users of a VPN, which is another reason.
    code: 'COUNTRY_NOT_OF_NUMBER',
    source: 'telecom.country',
    weight: 10,
    when: 'ipDetails.country != telecom.country and not account.newCountry',
    text: ({ ipDetails, telecom }) =>
      `The IP address is in ${ipDetails?.country}, and the phone number belongs to ${telecom?.country}`,
    cases: [
      { fires: { 'ipDetails.country': 'GB', 'telecom.country': 'IN' } },
      { silent: { 'ipDetails.country': 'IN', 'telecom.country': 'IN' } },
      { silent: { 'ipDetails.country': 'GB' } },
      { silent: { 'ipDetails.country': 'GB', 'telecom.country': 'IN', 'account.newCountry': true } },
    ],
  },
  {
    code: 'LOGIN_OF_ANOTHER_USER',
    source: 'login.userId',
    weight: 80,
    when: 'missing.login == "other-user"',
    text: 'The token belongs to another user than the one you named',
    cases: [{ fires: { 'missing.login': 'other-user' } }, { silent: { 'missing.login': 'unknown' } }],
  },
  {
    // Ordinary: a customer signs in with another number or address than you know.
    code: 'LOGIN_NOT_LINKED',
    source: 'login.userId',
    weight: 30,
    when: 'missing.login == "not-linked"',
    text: 'Whoever signed in is not known as the user you named',
    cases: [{ fires: { 'missing.login': 'not-linked' } }, { silent: { 'missing.login': 'other-user' } }],
  },
  {
    code: 'TOKEN_INVALID',
    source: 'login.token',
    weight: 50,
    when: 'missing.login in ("unknown", "no-sign-in")',
    text: ({ missing }) =>
      missing?.login === 'no-sign-in'
        ? 'The token has no sign-in'
        : 'The token is empty, not one of yours, revoked, or used before',
    cases: [
      { fires: { 'missing.login': 'unknown' } },
      { fires: { 'missing.login': 'no-sign-in' } },
      { silent: { 'missing.login': 'expired' } },
    ],
  },
  {
    // Ordinary: a page was left open.
    code: 'TOKEN_EXPIRED',
    source: 'login.token',
    weight: 15,
    when: 'missing.login == "expired"',
    text: 'The token has expired',
    cases: [{ fires: { 'missing.login': 'expired' } }, { silent: { 'missing.login': 'failed' } }],
  },
  {
    // A token that somebody copied is used on another device: it cannot prove the key that the sign-in proved.
    code: 'SIGNED_IN_ON_ANOTHER_DEVICE',
    source: 'login.otherDevice',
    weight: 40,
    when: 'login.otherDevice',
    text: 'The user signed in on another device than that of the report',
    cases: [{ fires: { 'login.otherDevice': true } }, { silent: { 'login.otherDevice': false } }],
  },
  {
    code: 'LOGIN_OF_ANOTHER_NUMBER',
    source: 'login.identities',
    weight: 30,
    when: 'login.ofPhoneNumber == false',
    text: 'The user signed in with another phone number than the one you named',
    cases: [{ fires: { 'login.ofPhoneNumber': false } }, { silent: { 'login.ofPhoneNumber': true } }],
  },
  {
    // Ordinary: your backend checked a password and issued the token.
    code: 'LOGIN_UNVERIFIED',
    source: 'login.identities',
    weight: 5,
    when: 'login.verified == false',
    text: 'An identity of the sign-in was not verified',
    cases: [{ fires: { 'login.verified': false } }, { silent: { 'login.verified': true } }],
  },
  {
    // A token that somebody copied is used elsewhere. Switching a VPN on does the same.
    code: 'LOGIN_IN_ANOTHER_COUNTRY',
    source: 'login.network',
    weight: 25,
    when: 'login.country != ipDetails.country',
    text: ({ login, ipDetails }) =>
      `The user signed in from ${login?.country}, and the IP address is in ${ipDetails?.country}`,
    cases: [
      { fires: { 'login.country': 'IN', 'ipDetails.country': 'GB' } },
      { silent: { 'login.country': 'IN', 'ipDetails.country': 'IN' } },
      { silent: { 'login.country': 'IN' } },
    ],
  },
  ...emailReasons,
  ...phoneReasons,
  {
    code: 'DEVICE_OF_ANOTHER_USER',
    source: 'device.updateInfo',
    weight: 75,
    when: 'missing.device == "other-user"',
    text: 'The device report names another user than the one you named',
    cases: [{ fires: { 'missing.device': 'other-user' } }, { silent: { 'missing.device': 'other-number' } }],
  },
  {
    code: 'DEVICE_OF_ANOTHER_NUMBER',
    source: 'device.updateInfo',
    weight: 75,
    when: 'missing.device == "other-number"',
    text: 'The device report names another phone number than the one you named',
    cases: [{ fires: { 'missing.device': 'other-number' } }, { silent: { 'missing.device': 'other-user' } }],
  },
  {
    code: 'DEVICE_UNKNOWN',
    source: 'device.dfrId',
    weight: 35,
    when: 'missing.device == "unknown"',
    text: 'The dfrId is empty, or not one of yours',
    cases: [{ fires: { 'missing.device': 'unknown' } }, { silent: { 'missing.device': 'expired' } }],
  },
  {
    // Ordinary: a page was left open.
    code: 'DEVICE_REPORT_EXPIRED',
    source: 'device.dfrId',
    weight: 15,
    when: 'missing.device == "expired"',
    text: 'The device report is older than an hour',
    cases: [{ fires: { 'missing.device': 'expired' } }, { silent: { 'missing.device': 'deadline' } }],
  },
  {
    // As much as five accounts on a device in a day: a clean report is replayed, or a kiosk makes one for several people.
    code: 'REPORT_REUSED',
    source: 'device.dfrId',
    weight: 35,
    when: 'reportSubjects >= 2',
    text: ({ reportSubjects = 0 }) =>
      `The device report served ${reportSubjects > 3 ? 'more than 3' : reportSubjects} users, and a report is of one session`,
    cases: [{ fires: { reportSubjects: 2 } }, { fires: { reportSubjects: 4 } }, { silent: { reportSubjects: 1 } }],
  },
  {
    code: 'NEW_DEVICE',
    source: 'device.newDevice',
    weight: 10,
    when: 'newDevice and not (account.knownDevice == "no" and account.sessions >= 1)',
    text: 'This is the first visit of the device',
    cases: [
      { fires: { newDevice: true } },
      { silent: { newDevice: false } },
      { silent: { newDevice: true, 'account.knownDevice': 'no', 'account.sessions': 1 } },
    ],
  },
  {
    code: 'NEW_DEVICE_FOR_ACCOUNT',
    source: 'account.knownDevice',
    weight: 30,
    when: 'account.knownDevice == "no" and account.sessions >= 1',
    text: 'The account was never used on this device before',
    cases: [
      { fires: { 'account.knownDevice': 'no', 'account.sessions': 1 } },
      { silent: { 'account.knownDevice': 'likely', 'account.sessions': 9 } },
      { name: 'the first session of an account', silent: { 'account.knownDevice': 'no', 'account.sessions': 0 } },
    ],
  },
  {
    // Only similar, and anybody may have a device like it: a proof decides, so it weighs nothing.
    code: 'RESEMBLES_BAD_DEVICE',
    source: 'device.likely',
    weight: 0,
    when: 'likely.badReports >= 1 or likely.blocked',
    text: ({ likely }) =>
      likely?.blocked ? 'The device resembles one that you block' : 'The device resembles one with bad labels',
    cases: [
      { fires: { 'likely.badReports': 2 } },
      { fires: { 'likely.blocked': true } },
      { silent: { 'likely.badReports': 0, 'likely.blocked': false } },
    ],
  },
  {
    code: 'IMPOSSIBLE_TRAVEL',
    source: 'account.travel',
    weight: 50,
    when: 'account.travel.impossible',
    text: ({ account }) =>
      `The last session of the account was too far away for the time between${journey(account?.travel)}`,
    cases: [
      {
        fires: {
          'account.travel.impossible': true,
          'account.travel.distanceKm': 6703,
          'account.travel.speedKmh': 13_406,
        },
      },
      { silent: { 'account.travel.impossible': false, 'account.travel.distanceKm': 6703 } },
    ],
  },
  {
    // People travel.
    code: 'NEW_COUNTRY',
    source: 'account.newCountry',
    weight: 20,
    when: 'account.newCountry',
    text: ({ ipDetails }) => `The account was never used in this country before${named(ipDetails?.country)}`,
    cases: [
      { fires: { 'account.newCountry': true, 'ipDetails.country': 'GB' } },
      { silent: { 'account.newCountry': false, 'ipDetails.country': 'GB' } },
    ],
  },
  {
    code: 'RARE_COUNTRY',
    source: 'account.rareCountry',
    weight: 10,
    when: 'account.rareCountry and not account.newCountry',
    text: ({ ipDetails }) => `The account is rarely used in this country${named(ipDetails?.country)}`,
    cases: [
      { fires: { 'account.rareCountry': true, 'account.newCountry': false, 'ipDetails.country': 'GB' } },
      { silent: { 'account.rareCountry': true, 'account.newCountry': true } },
      { silent: { 'account.rareCountry': false, 'account.newCountry': false } },
    ],
  },
  {
    code: 'NEW_NETWORK',
    source: 'account.newNetwork',
    weight: 5,
    when: 'account.newNetwork',
    text: 'The account was never used from this network before',
    cases: [{ fires: { 'account.newNetwork': true } }, { silent: { 'account.newNetwork': false } }],
  },
  {
    code: 'NEW_OPERATOR',
    source: 'account.newOperator',
    weight: 10,
    when: 'account.newOperator and not account.newNumber',
    text: 'The phone number of the account has another operator than before',
    cases: [
      { fires: { 'account.newOperator': true, 'account.newNumber': false } },
      { silent: { 'account.newOperator': false } },
      { silent: { 'account.newOperator': true, 'account.newNumber': true } },
    ],
  },
  {
    code: 'NEW_NUMBER',
    source: 'account.newNumber',
    weight: 15,
    when: 'account.newNumber',
    text: 'The account was never used with this phone number before',
    cases: [{ fires: { 'account.newNumber': true } }, { silent: { 'account.newNumber': false } }],
  },
  {
    code: 'UNUSUAL_HOUR',
    source: 'account.unusualHour',
    weight: 5,
    when: 'account.unusualHour',
    text: 'The account is rarely used at this time of day',
    cases: [{ fires: { 'account.unusualHour': true } }, { silent: { 'account.unusualHour': false } }],
  },
  {
    // Families share a phone.
    code: 'LINKED_ACCOUNTS',
    source: 'account.linkedAccounts',
    weight: 20,
    when: 'account.linkedAccounts >= 5',
    text: ({ account }) => `${account?.linkedAccounts} other accounts use this device or phone number`,
    cases: [{ fires: { 'account.linkedAccounts': 5 } }, { silent: { 'account.linkedAccounts': 4 } }],
  },
]

const unsupportedIn = (missing: RuleInput['missing']): string[] =>
  telecomChecks
    .filter((check) => ['unsupported', 'operator-unknown'].includes(missing?.[check] ?? ''))
    .map((check) => checks[check].title)

function journey({ distanceKm, speedKmh }: { distanceKm?: number; speedKmh?: number } = {}): string {
  return distanceKm === undefined || speedKmh === undefined
    ? ''
    : `: ${distanceKm.toLocaleString('en')} km, at ${speedKmh.toLocaleString('en')} km/h`
}

const named = (country: string | undefined) => (country === undefined ? '' : `: ${country}`)

function within(hours: number | undefined): string {
  if (hours === undefined) return ''
  return hours === 1 ? ' within the last hour' : ` within the last ${hours} hours`
}
