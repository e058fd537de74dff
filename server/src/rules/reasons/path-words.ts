// How do people call what a rule reads? The words of a path, for sentences.

import { checkNames, checks } from '@ringfence/contract'
import { findPath, type PathMeaning, velocityMeaning, velocityPrefix } from '../language/paths.ts'
import type { Velocity } from '../language/rule.ts'

export interface Words {
  readonly words: string
  /** How many there are of something: "14 cards", not "cards 14". */
  readonly isCount: boolean
  readonly unit: string | undefined
  readonly meaning: PathMeaning
}

const longestName = 40

/** Where the words of the name alone would mislead. */
const named: Readonly<Record<string, string>> = {
  deviceRiskScore: 'risk score of the device',
  sessionRiskScore: 'risk score of the session',
  score: 'score of the reasons',
  reportAgeSeconds: 'age of the device report',
  reportSubjects: 'users of this device report',
  ip: 'IP address',
  'ipDetails.country': 'country of the IP address',
  'ipDetails.city': 'city of the IP address',
  'ipDetails.region': 'region of the IP address',
  'ipDetails.isp': 'ISP',
  'ipDetails.asn': 'autonomous system',
  'ipDetails.fraudScore': 'risk of the IP address',
  'deviceMeta.iOSVersion': 'iOS version',
  'deviceMeta.totalRAM': 'memory',
  'sim.slots': 'slots for SIM cards',
  'sim.inserted': 'SIM cards in the phone',
  'sim.networkCode': 'network code of the SIM card',
  'sim.carrier': 'name of the SIM card',
  'sim.country': 'country of the SIM card',
  'email.address': 'email address',
  'email.mailbox': 'mailbox',
  'email.domain': 'domain of the email address',
  'email.disposable': 'disposable email address',
  'email.freeMail': 'large provider of mail',
  'email.role': 'email address of a function',
  'email.suggestedDomain': 'domain that was probably meant',
  'login.ageSeconds': 'age of the sign-in',
  'login.country': 'country of the sign-in',
  'login.ip': 'IP address of the sign-in',
  'login.userId': 'user of the sign-in',
  'signals.bot': 'automation',
  'signals.vpnOriginCountry': 'country of the time zone of the device',
  'signals.vpnOriginTimezone': 'time zone of the device',
  'signals.anomalyScore': 'contradictions of the device',
  'history.deviceAgeDays': 'age of the device',
  'history.badReports': 'earlier reports of the device with a bad label',
  'history.linkedBadReports': 'reports with a bad label of other installations of the device',
  'likely.deviceId': 'device that this one resembles',
  'likely.confidence': 'similarity to a known device',
  'likely.badReports': 'reports with a bad label of a device that this one resembles',
  'likely.blocked': 'resembles a blocked device',
  'likely.newDevices24h': 'new devices that resemble the same one in 24 hours',
  'telecom.operator': 'operator of the phone number',
  'telecom.homeOperator': 'home operator of the phone number',
  'telecom.country': 'country of the phone number',
  'telecom.countryCode': 'country code of the phone number',
  'telecom.type': 'line type of the phone number',
  'account.sessions': 'proven sessions of the account',
  'account.ageDays': 'age of the account',
  'account.daysSinceLastSession': 'time since the last proven session',
  'account.hoursSinceProvenHere': 'time since the last proven session here',
  'account.knownDevice': 'device known to the account',
  'account.linkedAccounts': 'other accounts on this device or number',
  'account.travel.distanceKm': 'way from the last place',
  'account.travel.speedKmh': 'speed from the last place',
}

const counted = new Set([
  'reportSubjects',
  'history.badReports',
  'history.linkedBadReports',
  'account.sessions',
  'account.linkedAccounts',
])

const builtIn: Readonly<Record<string, string>> = {
  accountsPerDevice: 'users of the device',
  phoneNumbersPerDevice: 'phone numbers on the device',
  countriesPerDevice: 'countries of the device',
  accountsPerMailbox: 'accounts of the mailbox',
  devicesPerAccount: 'devices of the user',
}

/** @param velocities those that the rule set declares */
export function wordsOf(path: string, velocities: readonly Velocity[]): Words {
  if (path.startsWith(velocityPrefix)) return velocityWords(path, velocities)
  const meaning = findPath(path)!
  const { unit, isOpen } = meaning
  const words = named[path] ?? (isOpen ? cut(keyOf(path)) : `${spoken(keyOf(path))}${checkOf(path)}`)
  return { words, isCount: counted.has(path), unit, meaning }
}

/** Fields of a check have short names, which several checks use. */
function checkOf(path: string): string {
  const check = checkNames.find((name) => path.startsWith(`telecom.${name}.`))
  return check ? ` of the ${checks[check].title} check` : ''
}

const keyOf = (path: string) => path.replace(/^(params|updateInfo\.additionalInput)\./, '').replace(/^.*\.(?=.)/, '')

function velocityWords(path: string, velocities: readonly Velocity[]): Words {
  const name = path.slice(velocityPrefix.length)
  const own = velocities.find((each) => each.name === name)
  const [, stem = name, window = ''] = /^(.*?)_?(\d+[mhd])?$/.exec(name) ?? []
  const within = own?.within ?? window
  const words = (!own && builtIn[stem]) || spoken(stem) || 'decisions'
  return {
    words: within === '' ? words : `${words} in ${spanOf(within)}`,
    isCount: own?.measure !== 'sum',
    unit: undefined,
    meaning: velocityMeaning(path),
  }
}

const spans: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' }

/** `24h` is "24 hours". */
function spanOf(within: string): string {
  const [, amount = '', unit = ''] = /^(\d+)([smhd])$/.exec(within) ?? []
  return spans[unit] === undefined ? within : `${amount} ${spans[unit]}${amount === '1' ? '' : 's'}`
}

/** `cardsPerDevice` and `cards_per_device` are "cards per device". */
const spoken = (name: string): string =>
  cut(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .trim()
      .replace(/ seconds$/i, '')
      .toLowerCase(),
  )

/** One line without control characters; cut where it is long. */
export function cut(text: string, most = longestName): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim()
  const letters = [...line]
  return letters.length <= most
    ? line
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
