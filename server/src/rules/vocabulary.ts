// What may a rule read? Every path with its type, unit and meaning; the shape of a rule's input follows from them.

import Type, { type Static, type TNumber, type TSchema } from 'typebox'
import { signals } from '../device/signals/index.ts'
import type { Signal } from '../device/signals/signal.ts'
import { flag, number, oneOf, text } from './path-types.ts'

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

/** Fields of the device report (specification 2.6), without its defaults: what is not known is absent. */
const session = {
  platform: oneOf(['WEB', 'IOS', 'ANDROID'], 'Platform of the SDK'),
  sessionId: text('App session'),
  deviceId: text('Stable id of the device'),
  newDevice: flag('The device is seen for the first time'),
  sessionRiskScore: number('Risk of this session', '0–100'),
  deviceRiskScore: number('Risk that also weighs the history of the device', '0–100'),
}

/** Where the device is and what it is. */
const device = {
  ip: text('Address of the device'),
  ipDetails: Type.Partial(
    Type.Object({
      city: text('City of the address'),
      region: text('Region of the address'),
      country: text('Country of the address, as the report shows it'),
      isp: text('Who provides the address'),
      asn: text('Number of the autonomous system'),
      fraudScore: number('Risk of the address', '0–100'),
    }),
  ),
  gpsLocation: Type.Partial(
    Type.Object({
      latitude: number('Degrees north', '°'),
      longitude: number('Degrees east', '°'),
      altitude: number('Height above the sea', 'm'),
    }),
  ),
  deviceMeta: Type.Partial(
    Type.Object({
      brand: text('Brand of the device'),
      model: text('Model of the device'),
      iOSVersion: text('Version of iOS; absent elsewhere'),
      cpuType: text('Kind of processor'),
      screenResolution: text('Resolution of the screen'),
      totalRAM: text('Memory, bytes as decimal digits'),
      storageAvailable: text('Free storage, bytes as decimal digits'),
      storageTotal: text('Storage, bytes as decimal digits'),
    }),
  ),
}

/** Numbers about all signals together. */
const overall = {
  suspectScore: number('Sum of the weights of what was found'),
  confidence: number('Probability that the device is recognised rightly', '0–1'),
}

const velocity = {
  ...perWindow('accountsPerDevice', 'Different user ids on the device'),
  ...perWindow('phoneNumbersPerDevice', 'Different phone numbers on the device'),
  ...perWindow('countriesPerDevice', 'Different countries of the addresses of the device'),
  ...perWindow('devicesPerAccount', 'Different devices of the user id'),
}

const history = {
  deviceAgeDays: number('How long ago the device was first seen', 'days'),
  badReports: number('Earlier reports of the device that were labelled as bad'),
}

/**
 * The phone number of the session (specification 2.1), and the last telecom checks of it that were made and completed (2.3), by
 * this tenant's backends or its sign-ins. Nobody is asked for a rule.
 */
const telecom = {
  operator: text('Current operator of the phone number, upper-case token'),
  homeOperator: text('Operator that the number is registered with'),
  countryCode: text('Country calling code of the number, digits'),
  country: text('Country of the number, ISO 3166-1 alpha-2'),
  type: oneOf(['MOBILE', 'LANDLINE'], 'Line type'),
  simSwap: group({
    swapped: flag('SIM swap check: swapped within its window'),
    maxAgeHours: number('SIM swap check: its window', 'hours'),
    ageSeconds: number('SIM swap check: how long ago the operator was asked', 'seconds'),
  }),
  callForwarding: group({
    active: flag('Call forwarding check: forwarding is active'),
    ageSeconds: number('Call forwarding check: how long ago the operator was asked', 'seconds'),
  }),
  portability: group({
    ported: flag('Portability: the number was ported'),
    ageSeconds: number(
      'Portability: how long ago a remote source was asked; absent where imported data tell',
      'seconds',
    ),
  }),
}

/** What the app said with the call (specification 2.7). */
const updateInfo = {
  userId: text("The integrator's id of the user"),
  phoneNumber: text('Digits with country code'),
  phoneInputType: oneOf(['MANUAL', 'COPY_PASTED', 'GOOGLE_HINT'], 'How the phone number was entered'),
  otpInputType: oneOf(['MANUAL', 'COPY_PASTED', 'AUTO_FILLED'], 'How the one-time code was entered'),
  userEventType: oneOf(
    ['LOGIN', 'SIGNUP', 'TRANSACTION', 'OTHERS'],
    'What the user is doing; OTHERS when the app does not say',
  ),
  merchantId: text('Merchant'),
  additionalInput: Type.Record(Type.String(), Type.String(), { description: 'Text that the app gave under this key' }),
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
 * Everything that is known of one session when its rules are evaluated. What is not known, was not asked, or has no answer
 * on the platform is absent: a comparison with it is false, and `exists` tells.
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
    signals: group({ ...(Object.fromEntries(paths) as PathTypes<Each>), ...overall }),
    velocity: group(velocity),
    history: group(history),
    telecom: group(telecom),
    updateInfo: group(updateInfo),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the app gave under this key; only text, numbers, true and false can be read',
    }),
  })
}

export const RuleInput = ruleInputSchemaOf(signals)
export type RuleInput = Static<typeof RuleInput>
