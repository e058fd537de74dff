// What may a rule read? Every path with its type, unit and meaning; the shape of a rule's input follows from them.

import Type, { type Static, type TNumber } from 'typebox'

const flag = (description: string) => Type.Boolean({ description })
const text = (description: string) => Type.String({ description })
const oneOf = <const Values extends string[]>(values: Values, description: string) => Type.Enum(values, { description })
const number = (description: string, unit = '') => Type.Number({ description, ...(unit && { unit }) })

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
const report = {
  platform: oneOf(['WEB', 'IOS', 'ANDROID'], 'Platform of the SDK'),
  sessionId: text('App session'),
  deviceId: text('Stable id of the device'),
  newDevice: flag('The device is seen for the first time'),
  sessionRiskScore: number('Risk of this session', '0–100'),
  deviceRiskScore: number('Risk that also weighs the history of the device', '0–100'),
  vpn: flag('A VPN is active'),
  proxy: flag('Behind a proxy'),
  simulator: flag('Runs on a simulator'),
  jailbroken: flag('The device is jailbroken'),
  cloned: flag('A cloned instance of the app'),
  geoSpoofed: flag('The location is faked'),
  mirroredScreen: flag('The screen is mirrored or recorded'),
  hooking: flag('A hooking framework was found'),
  appTampering: flag('The binary of the app was changed'),
  factoryReset: flag('A suspicious factory reset was made'),
  factoryResetTime: number('When the last factory reset was made', 'epoch milliseconds'),
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

/** Verdicts that the report has no field for; the detectors of secure info (specification 2.4, 2.5). */
const signals = {
  bot: oneOf(['notDetected', 'good', 'bad'], 'good: a verified crawler; bad: any other automation'),
  incognito: flag('A private window'),
  privacySettings: flag('Settings that hide what the browser is'),
  developerTools: flag('Developer tools are open, or developer mode is on'),
  virtualMachine: flag('Runs in a virtual machine'),
  emulator: flag('Runs on an emulator (Android)'),
  rootApps: flag('The device is rooted (Android)'),
  clonedApp: flag('A cloned instance of the app (Android)'),
  frida: flag('Frida was found'),
  locationSpoofing: flag('The location is faked'),
  tampering: flag('What the device says of itself was tampered with'),
  anomalyScore: number('How far the device contradicts itself; over 0.5 is tampering', '0–1'),
  timezoneMismatch: flag('The time zone of the device is not that of its address'),
  publicVPN: flag('The address is that of a VPN provider'),
  auxiliaryMobile: flag('A VPN by what a mobile device says besides'),
  osMismatch: flag('The operating system is not the one that the network shows'),
  vpnOriginCountry: text('Country of the person behind the VPN, ISO 3166-1 alpha-2, or unknown'),
  vpnOriginTimezone: text("The device's own time zone, an IANA name"),
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

/**
 * Everything that is known of one session when its rules are evaluated. What is not known, was not asked, or has no answer
 * on the platform is absent: a comparison with it is false, and `exists` tells.
 */
export const RuleInput = group({
  ...report,
  signals: group(signals),
  velocity: group(velocity),
  history: group(history),
  telecom: group(telecom),
  updateInfo: group(updateInfo),
  params: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the app gave under this key; only text, numbers, true and false can be read',
  }),
})
export type RuleInput = Static<typeof RuleInput>
