// What may a rule read? Every path with its type, unit and meaning. The type of the rule input follows from them.

import { checks, missingReasons, type TelecomCheck, telecomChecks } from '@ringfence/contract'
import Type, { type Static, type TNumber, type TSchema } from 'typebox'
import { flag, number, oneOf, text } from '../../core/path-types.ts'
import { signals } from '../../device/signals/index.ts'
import type { Signal } from '../../device/signals/signal.ts'
import { checkAnswers } from '../../telecom/rule-paths.ts'

function group<Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields) {
  return Type.Partial(Type.Object(fields))
}

const windows = { '1h': 'the last hour', '24h': 'the last 24 hours', '7d': 'the last 7 days' } as const

/** A count in each of the three windows: `<name>1h`, `<name>24h`, `<name>7d`. */
function perWindow<Name extends string>(name: Name, description: string) {
  return Object.fromEntries(
    Object.entries(windows).map(([window, words]) => [`${name}${window}`, number(`${description} in ${words}`)]),
  ) as Record<`${Name}${keyof typeof windows}`, TNumber>
}

/** Fields of the device report (specification 2.6). Unknown fields are absent, without their defaults. */
const session = {
  platform: oneOf(['WEB', 'IOS', 'ANDROID'], 'Platform of the SDK'),
  appId: text('App in which the SDK ran'),
  sessionId: text('Session of the app'),
  deviceId: text('Stable device id'),
  installationId: text('Installation of the device: a browser profile or an app'),
  newDevice: flag('The first visit of the device'),
  sessionRiskScore: number('Risk of this session', '0–100'),
  deviceRiskScore: number('Risk of the session and of the device’s history', '0–100'),
}

/** What a backend names in a decision. Absent in a device report, whose `updateInfo` comes from the page. */
const decision = {
  action: text('What the person wants to do, for example LOGIN or PAYMENT'),
  userId: text('User id that your backend sent, or that of the sign-in'),
  phoneNumber: text('Phone number that your backend sent, digits with country code'),
  score: number('Score that the reasons of the decision make, of what is known when the rules run', '0–100'),
  reportAgeSeconds: number('Time since the device was analysed', 'seconds'),
  reportSubjects: number(
    'Different users whose decisions named the device report, this one included; numbers or email addresses where no user is named; 4: more than 3',
  ),
}

/** The email address that your backend sent, or else a verified one of the sign-in. Absent without one: unknown is not clean. */
const email = {
  address: text('The email address in lower case, its domain in ASCII'),
  mailbox: text(
    'Its mailbox: the same for all addresses that the provider documents as one, such as `+tag`, and dots at Gmail',
  ),
  domain: text('Its domain, in lower case and in ASCII'),
  disposable: flag('Its domain, or one above it, is in the list of disposable domains'),
  freeMail: flag('Its domain is a large provider where anybody gets an address'),
  role: flag('It belongs to a function of an organization, such as info@ or support@; never at a large provider'),
  suggestedDomain: text(
    'The large domain that was probably meant: gmail.com for gmial.com; absent without a typing error',
  ),
}

/** The sign-in of the token of a decision (specification 2.4). */
const login = {
  userId: text('User id of the sign-in'),
  ageSeconds: number('Time since the user signed in', 'seconds'),
  verified: flag('All identities of the sign-in were verified'),
  identityType: text('MOBILE, EMAIL or another type'),
  channel: text('OTP, MAGIC_LINK, OAUTH or another channel'),
  method: text('SMS, WHATSAPP, EMAIL, the name of an identity provider, or another method'),
  ofPhoneNumber: flag(
    'The user signed in with the phone number of the decision; absent for a sign-in without a phone number',
  ),
  otherDevice: flag(
    'The user signed in on another device than that of the device report: one with another key, or a phone whose report proves none; absent where the sign-in proved no key, or the report of a browser proves none, and for a magic link',
  ),
  ip: text('IP address of the sign-in'),
  country: text('Country of that IP address, ISO 3166-1 alpha-2'),
}

const whyMissing = (what: keyof typeof missingReasons, description: string) =>
  oneOf([...missingReasons[what]], description)

/** What a decision asked for and did not get, and why. Absent for a part that was not asked for, or that is known. */
const missing = {
  login: whyMissing('login', 'Why the token was not used'),
  device: whyMissing('device', 'Why the device report was not used'),
  phone: whyMissing('phone', 'Why there is no phone number'),
  ...(Object.fromEntries(
    telecomChecks.map((check) => [check, whyMissing(check, `Why the ${checks[check].title} check has no answer`)]),
  ) as Record<TelecomCheck, ReturnType<typeof whyMissing>>),
  everything: flag('Nothing that was asked for is known'),
}

/** Where the device is and what it is. */
const device = {
  ip: text('IP address of the device'),
  ipDetails: Type.Partial(
    Type.Object({
      city: text('City of the IP address'),
      region: text('Region of the IP address'),
      country: text('Country of the IP address, ISO 3166-1 alpha-2'),
      isp: text('ISP of the IP address'),
      asn: text('Autonomous system number of the IP address'),
      fraudScore: number('Risk of the IP address', '0–100'),
    }),
  ),
  gpsLocation: Type.Partial(
    Type.Object({
      latitude: number('Degrees north', '°'),
      longitude: number('Degrees east', '°'),
      altitude: number('Height above sea level', 'm'),
    }),
  ),
  deviceMeta: Type.Partial(
    Type.Object({
      brand: text('Brand of the device'),
      model: text('Model of the device'),
      iOSVersion: text('Version of iOS; absent on other platforms'),
      cpuType: text('Processor type'),
      screenResolution: text('Screen resolution'),
      totalRAM: text('Memory, bytes as decimal digits'),
      storageAvailable: text('Free storage, bytes as decimal digits'),
      storageTotal: text('Storage, bytes as decimal digits'),
    }),
  ),
}

/**
 * The SIM cards of an Android phone. A card in it that is not the one of the number is ordinary: a second card, a tablet, a card for a
 * journey.
 */
const sim = {
  slots: number('Slots for SIM cards of the phone'),
  inserted: number('Slots with a card'),
  networkCode: text('MCC and MNC of the first card, such as 404-45'),
  carrier: text('Name that the first card shows'),
  country: text('Country of the first card, ISO 3166-1 alpha-2'),
  countryOfNumber: flag(
    'A card is of a country with the calling code of the phone number; only in decisions, absent unless one is, or all cards are known',
  ),
  operatorOfNumber: flag(
    'A card is of the operator that serves the phone number; only in decisions, absent unless one is, or all cards are known, and unless the configuration has the operators of both',
  ),
}

/** Numbers about all signals together. */
const overall = {
  suspectScore: number('Sum of the weights of all signals that fired'),
  confidence: number('Probability that `deviceId` is right', '0–1'),
}

const ofMailbox =
  'Only at SIGNUP: different users of decisions with an email address of this mailbox, this one included, or addresses where no user is named, in'

const velocity = {
  ...perWindow(
    'accountsPerDevice',
    'Different users of the device: those your backend named, those who signed in, or those the app named, whichever are most,',
  ),
  ...perWindow('phoneNumbersPerDevice', 'Different phone numbers on the device, of your backend and the app together,'),
  ...perWindow('countriesPerDevice', 'Different countries of the device’s IP addresses'),
  accountsPerMailbox24h: number(`${ofMailbox} the last 24 hours`),
  accountsPerMailbox7d: number(`${ofMailbox} the last 7 days`),
  accountsPerMailbox30d: number(`${ofMailbox} the last 30 days`),
  ...perWindow('devicesPerAccount', 'Different devices that your backend confirmed for the user id, and this one,'),
}

const history = {
  deviceAgeDays: number('Time since the first visit of the device', 'days'),
  badReports: number('Previous reports of the device with a bad label, at most 20'),
  linkedBadReports: number(
    'The same for other installations of the device that do not count for this one; they do not raise its scores',
  ),
}

const withThisOne = 'on the device that this one resembled when it was new, and on this one,'

/** The known device that this one resembled when it was new, with less than 0.9. It may be the same one, or another person's. */
const likely = {
  deviceId: text('Device id of the device that this one resembled when it was new'),
  confidence: number('Probability that it is the same device', '0–1'),
  badReports: number('Reports with a bad label of that device, and of phones that resembled it, at most 20'),
  blocked: flag('That device is in a list of device ids to block'),
  newDevices24h: number('New devices that resembled that device in the last 24 hours, at most 20'),
  ...perWindow('accountsPerDevice', `Different users ${withThisOne}`),
  ...perWindow('phoneNumbersPerDevice', `Different phone numbers ${withThisOne}`),
}

/**
 * The phone number of the session (specification 2.1), and its latest completed telecom checks (2.3) by this tenant's backends or
 * sign-ins. Rules never call an operator.
 */
const telecom = {
  operator: text('Current operator of the phone number, upper-case token'),
  homeOperator: text('Operator with which the phone number is registered'),
  countryCode: text('Country calling code of the phone number, digits'),
  country: text('Country of the phone number, ISO 3166-1 alpha-2'),
  type: oneOf(['MOBILE', 'LANDLINE'], 'Line type'),
  ...checkAnswers,
}

const ofAccount = 'proven sessions of the account'
const fewest = { new: 'absent until 3 of them showed one', rare: 'absent until 20 of them showed one' }

/**
 * The account of a decision's `userId`, as its proven sessions show it. What sessions of others, and doubtful ones, show does not count.
 * Device reports have none of it.
 */
const account = {
  sessions: number('Proven sessions of the account: sign-ins, issued tokens, confirmed reports and decisions'),
  ageDays: number('Time since the first proven session', 'days'),
  daysSinceLastSession: number('Time since the last proven session', 'days'),
  hoursSinceProvenHere: number(
    'Time since the last proven session of the account on this installation, which proves its key; absent without one',
    'hours',
  ),
  knownDevice: oneOf(
    ['yes', 'likely', 'no'],
    'The device was confirmed for the account before: it proves it, resembles one, or neither; absent without a device',
  ),
  newCountry: flag(`The country of the IP address is new to the ${ofAccount}; ${fewest.new}`),
  rareCountry: flag(`Fewer than 5 % of the ${ofAccount} were in this country; ${fewest.rare}`),
  newNetwork: flag(`The autonomous system of the IP address is new to the ${ofAccount}; ${fewest.new}`),
  rareNetwork: flag(`Fewer than 5 % of the ${ofAccount} were in this autonomous system; ${fewest.rare}`),
  newOperator: flag(`The operator of the phone number is new to the ${ofAccount}; ${fewest.new}`),
  newNumber: flag(`The phone number is new to the ${ofAccount}; ${fewest.new}`),
  unusualHour: flag(
    `Fewer than 5 % of the ${ofAccount} began within two hours of this time of day (UTC); absent until there are 20`,
  ),
  linkedAccounts: number(
    'Other accounts with a proven session on this device or with this phone number, at most 20 of each',
  ),
  travel: group({
    distanceKm: number(
      'From the place of the last proven session that had one, less the accuracy radii of both; absent for VPN, open proxy, Tor, relay, hosting and mobile IP addresses, and without IP lists',
      'km',
    ),
    speedKmh: number('The speed that this distance takes, in at least a minute', 'km/h'),
    impossible: flag(
      'At least 300 km at more than 1,000 km/h; absent when a device that the account has had for 3 days proves its key',
    ),
  }),
}

/** What the app sent with the call (specification 2.7). */
const updateInfo = {
  userId: text("The integrator's user id"),
  phoneNumber: text('Digits with country code'),
  phoneInputType: oneOf(['MANUAL', 'COPY_PASTED', 'GOOGLE_HINT'], 'How the phone number was entered'),
  otpInputType: oneOf(['MANUAL', 'COPY_PASTED', 'AUTO_FILLED'], 'How the one-time code was entered'),
  userEventType: oneOf(
    ['LOGIN', 'SIGNUP', 'TRANSACTION', 'OTHERS'],
    'What the user is doing; OTHERS when the app does not send it',
  ),
  merchantId: text('Merchant id'),
  additionalInput: Type.Record(Type.String(), Type.String(), { description: 'Text that the app sent under this key' }),
}

type FieldType<One extends Signal> = NonNullable<NonNullable<One['report']>['rule']>['type']
/** The report fields that a list of signals feeds and rules may read, with their types. */
type FieldTypes<Each extends Signal> = {
  [One in Each as [FieldType<One>] extends [never] ? never : NonNullable<One['report']>['field']]: FieldType<One>
}

type RulesOf<One extends Signal> = NonNullable<NonNullable<One['secureInfo']>['rules']>
/** The paths below `signals.` of a list of signals, with their types. */
type PathTypes<Each extends Signal> = {
  [Path in Each extends unknown ? keyof RulesOf<Each> & string : never]: Each extends unknown
    ? RulesOf<Each> extends { readonly [Name in Path]: { readonly type: infer Type extends TSchema } }
      ? Type
      : never
    : never
}

/**
 * Everything known about one session when its rules run. Unknown values are absent: every comparison with them is false, and
 * `exists` is false.
 */
export function ruleInputSchemaOf<Each extends Signal>(list: readonly Each[]) {
  const fields = list.flatMap(({ report }) => (report?.rule ? [[report.field, report.rule.type]] : []))
  const paths = list.flatMap(({ secureInfo }) =>
    Object.entries(secureInfo?.rules ?? {}).map(([path, { type }]) => [path, type] as const),
  )
  return group({
    ...session,
    ...(Object.fromEntries(fields) as FieldTypes<Each>),
    ...device,
    sim: group(sim),
    ...decision,
    email: group(email),
    login: group(login),
    missing: group(missing),
    signals: group({ ...(Object.fromEntries(paths) as PathTypes<Each>), ...overall }),
    velocity: group(velocity),
    history: group(history),
    likely: group(likely),
    telecom: group(telecom),
    account: group(account),
    updateInfo: group(updateInfo),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Value that the app sent under this key; rules read only text, numbers, true and false',
    }),
  })
}

export const RuleInput = ruleInputSchemaOf(signals)
export type RuleInput = Static<typeof RuleInput>
