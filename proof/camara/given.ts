// What does each Given step of a feature file arrange: token, body, and what the operator knows of the number?

import { hash } from 'node:crypto'
import { type KycField, kycFields, maxAgeHours } from '@ringfence/contract'
import { NotRun, unknownNumber, type World } from './world.ts'

type Step = readonly [RegExp, (world: World, ...captured: string[]) => void]

const hourMs = 3_600_000
const nothing = () => {}
const hoursAgo = ({ nowMs }: World, hours: number) => new Date(nowMs - hours * hourMs).toISOString()
const notRun = (reason: string) => () => {
  throw new NotRun(reason)
}

const ofToken = notRun('needs an access token that identifies a number; only Number Verification has them here')
const [never, recently, longAgo] = [80_000, 100, 500]

/** SIM Swap and Device Swap say the same of a SIM and of a phone. */
function changed(world: World, hours: number | null): void {
  const at = hours === null ? null : hoursAgo(world, hours)
  world.know({ latestSimChange: at, subscriber: { latestDeviceChange: at } })
}

const environment: readonly Step[] = [
  [/^an environment at "apiRoot"$/, nothing],
  [/^the (?:resource|path) "([^"]+)"/, (world, text) => world.setResource(text)],
  [/^the header "Content-Type" is set to "application\/json"$/, nothing],
  [/^the header "x-correlator" (complies with|is set to a UUID)/, nothing],
  [/^the request body is set (by default )?to a (request body compliant|valid request body)/, nothing],
  [/^the request body (contains valid required properties|is set to a valid parameter combination)$/, nothing],
]

const tokens: readonly Step[] = [
  [/^a valid phone number,? (supported by the service, )?identified by the token$/, ofPhone],
  [
    /^a valid (testing )?phone ?number ?(supported by the service, )?identified by the token( and provided.*)?$/i,
    ofPhone,
  ],
  [/^a valid testing phoneNumber supported by the service, identified by the token$/, ofPhone],
  [/^the token has been obtained by a supported authentication method$/, nothing],
  [/identif\w+ (a|same) (phone number|device)$/i, ofToken],
  [/emitted for a different phone number$/, ofToken],
  [/^an access token with an invalid context$/, ofToken],
  [/"Authorization" is set to a valid access (token)? ?(which does not|$)/, nothing],
  [/"Authorization" is set to an expired access token$/, (world) => set(world, 'expired')],
  [/"Authorization" is (removed|not sent)$/, (world) => set(world, 'none')],
  [
    /"Authorization" is set to (an invalid access token|a malformed token)|^an invalid authentication token$/,
    (world) => set(world, 'changed'),
  ],
  [
    /"Authorization" (is )?set to an access token (without the required|not including)/,
    (world) => set(world, 'of another call'),
  ],
  [/"Authorization" is set to a token for which neither Network-based/, (world) => set(world, 'not of the network')],
]

const set = (world: World, token: World['token']) => {
  world.token = token
}

/** Only Number Verification has tokens of a phone. */
function ofPhone(world: World): void {
  if (world.api !== 'number-verification') ofToken()
}

const numbers: readonly Step[] = [
  [
    /provided in the request body(,? with .* )?$|^a valid .*(phone number|device).* (provided in|or provided)/,
    subjectOf,
  ],
  [/^that (the service is not available for all|some types of device identifiers are not supported)/, nothing],
  [
    /(phone number|"\$\.phoneNumber" is|device).*but does not identify a/,
    (world) => world.put(numberPath(world), unknownNumber),
  ],
  [/"\$\.phoneNumber" does not comply with the OAS schema/, (world) => world.put('$.phoneNumber', '34666')],
  [/"\$\.phoneNumber" is not (included|set)/, (world) => world.put('$.phoneNumber', undefined)],
  [
    /"\$\.phoneNumber" (is )?set to a valid phone number.*could not be retrieved$/,
    (world) => world.know({ forwarding: null }),
  ],
  [/"\$\.phoneNumber" (is )?set to a valid phone number.*could be retrieved$/, forwarded],
  [/"\$\.phoneNumber" (is )?set to (a proper value|a valid)/, (world) => world.put('$.phoneNumber', world.phoneNumber)],
  [/^the same phone number is compliant with OAS schema/, nothing],
  [/"\$\.device" is set to: \{\}$/, (world) => world.put('$.device', {})],
  [/"\$\.device" is not included$/, (world) => world.put('$.device', undefined)],
  [
    /"\$\.device" only includes device identifiers not supported/,
    (world) => world.put('$.device', { ipv6Address: '2001:db8:85a3:8d3:1319:8a2e:370:7344' }),
  ],
  [
    /"\$\.device" includes several identifiers|^at least 2 types of device identifiers/,
    notRun('only the phone number of a device counts here'),
  ],
  [/"\$\.device" is set to a valid device/, ofToken],
]

const numberPath = ({ isOfDevice }: World) => (isOfDevice ? '$.device.phoneNumber' : '$.phoneNumber')

function subjectOf(world: World): void {
  const { scenario } = world
  const text = scenario.steps.join('\n')
  if (/for which the service is not applicable/.test(text)) world.setNumberEnding('0141')
  if (/for which there is no historical location/.test(text)) world.know({ subscriber: { place: null } })
  if (/with no historical location information for some time/.test(text))
    refuse(world, 422, 'LOCATION_VERIFICATION.UNABLE_TO_FULFILL_MAX_AGE')
}

/** The feature file does not say which; its expectation does. */
function forwarded(world: World): void {
  const isActive = world.scenario.steps.some((step) => /is an array of strings/.test(step))
  world.know({ forwarding: isActive ? ['unconditional', 'conditional_busy'] : [] })
}

/** The operator refuses the calls of this scenario in this way. */
function refuse(world: World, status: number, code: string): void {
  world.service.sandbox.faults.switchOn({ kind: 'status', status, code, route: world.path })
}

const facts: readonly Step[] = [
  [/has been swapped in the last 240 hours$|(SIM|device).* has been swapped$/, (world) => changed(world, recently)],
  [/has been swapped in the last "(\d+)"$/, (world, hours) => changed(world, Number(hours) - 1)],
  [
    /has been swapped more than 240 hours ago$|last swap for this phone number's (SIM was more than|in the device is known)/,
    (world) => changed(world, longAgo),
  ],
  [
    /has never been swapped$|activation of the SIM occurred more than|has been associated with this device for more than/,
    (world) => changed(world, never),
  ],
  [
    /swapped before the limited history window|outside (of )?the (monitored|monitoring) period|swap occurred outside/,
    limited,
  ],
  [/not associated to any sim card$/, (world) => changed(world, null)],
  [/never been connected to the Operator's network$/, (world) => world.setNumberEnding('0141')],
  [/is used by User B$/, (world) => world.know({ subscriber: { recycledOn: '2024-06-01' } })],
  [/hasn't had a valid tenure since/, (world) => world.know({ subscriber: { subscribedOn: '2024-06-01' } })],
  [/has had a valid tenure since/, (world) => world.know({ subscriber: { subscribedOn: '2015-06-01' } })],
  [/device is connected with sms/, (world) => world.know({ subscriber: { connectivity: ['SMS'] } })],
  [/device has data connectivity/, (world) => world.know({ subscriber: { connectivity: ['DATA'] } })],
  [/device has both data and sms/, (world) => world.know({ subscriber: { connectivity: ['DATA', 'SMS'] } })],
  [/is not connected to the API provider's network$/, (world) => world.know({ subscriber: { connectivity: [] } })],
  [
    /device which is in roaming inside Germany/,
    (world) => world.know({ subscriber: { roaming: { mobileCountryCode: 262, country: 'DE' } } }),
  ],
  [/device which is not in roaming/, (world) => world.know({ subscriber: { roaming: null } })],
  [/and may be (roaming or not roaming|reachable or not reachable)$/, nothing],
  [/^a network error prevents/, (world) => refuse(world, 503, 'UNAVAILABLE')],
  [/doesn't offer general information on the call forwarding/, (world) => world.know({ forwarding: null })],
  [/^that there is a minimum radius allowed/, (world) => refuse(world, 422, 'LOCATION_VERIFICATION.INVALID_AREA')],
  [
    /calls( from any API Consumer)? is equal to the (business|server) limit$/,
    notRun('limits have tests of their own (rate limits, cost caps)'),
  ],
]

function limited(world: World): void {
  changed(world, longAgo)
  world.know({ lookBackHours: 168 })
}

const shorter = (world: World) => world.put('maxAge', world.isOfDevice ? 60 : longAgo - 2)

const maxAge: readonly Step[] = [
  [
    /"(?:\$\.)?maxAge" (?:request body property )?is (?:not (?:set|setted|included))$/,
    (world) => world.put('maxAge', undefined),
  ],
  [/"maxAge".*is set to a value equal or greater than "(\d+)"/, (world, hours) => world.put('maxAge', Number(hours))],
  [/"maxAge" is set to a value less than "(\d+)"/, (world, hours) => world.put('maxAge', Number(hours) - 1)],
  [
    /"maxAge" is set to the number of hours since the last SIM swap minus 1$|set to a value lower that the last known|"\$\.maxAge" is set to a value shorter than that time/,
    shorter,
  ],
  [/"\$\.maxAge" is set to (100000)$/, (world, hours) => world.put('maxAge', Number(hours))],
  [
    /"\$\.maxAge" is set to a value greater than the allowed range/,
    (world) => world.put('maxAge', maxAgeHours.maximum + 1),
  ],
  [
    /"\$\.maxAge" is set to a valid value above the supported monitored period/,
    (world) => {
      world.know({ lookBackHours: 168 })
      world.put('maxAge', 169)
    },
  ],
  [/"\$\.maxAge" does not comply with the OAS schema/, (world) => world.put('maxAge', 'a day')],
  [/"\$\.maxAge" is included$/, (world) => world.put('maxAge', 3600)],
]

const bodies: readonly Step[] = [
  [
    /^the request body is not included$/,
    (world) => {
      world.body = undefined
    },
  ],
  [
    /^the request body is set to "\{\}"$/,
    (world) => {
      world.body = {}
    },
  ],
  [
    /^the request body is set to any value which is not compliant/,
    (world) => {
      world.body = Object.fromEntries(
        Object.keys(world.body as object).map((name) => [name, name === 'phoneNumber' ? world.phoneNumber : 7]),
      )
    },
  ],
  [
    /with property "\$\.(\w+)" set to a valid formatted value that does (perfectly|not) match/,
    (world, field, how) => {
      const value = how === 'perfectly' ? known(world, field as KycField) : other(world, field as KycField)
      world.body = { phoneNumber: world.phoneNumber, [field!]: value }
    },
  ],
  [
    /"\$\.(\w+)" is set to a valid value that complies with the OAS schema at "\/components\/schemas\/KYC_/,
    (world, field) => {
      known(world, field as KycField)
      world.body = { phoneNumber: world.phoneNumber, [field!]: known(world, field as KycField) }
    },
  ],
  [
    /random combination of (valid|afore)/,
    (world) => {
      const { name, birthdate, email, country } = world.subscriber
      world.body = { phoneNumber: world.phoneNumber, name, birthdate, email, country, gender: 'OTHER' }
    },
  ],
  [
    /"\$\.idDocument" is set to a valid identity document associated/,
    (world) => world.put('idDocument', world.subscriber.idDocument),
  ],
  [
    /"\$\.idDocument" is set to a valid idDocument that is not associated|without property "\$\.idDocument"$/,
    notRun('optional in CAMARA: no operator here requires an identity document'),
  ],
  [
    /contains only the property "\$\.phoneNumber"$/,
    (world) => {
      world.body = { phoneNumber: world.phoneNumber }
    },
  ],
  [/"\$\.(\w+)" is set to a value in the future$/, (world, field) => world.put(field!, day(world.nowMs + 72 * hourMs))],
  [/"\$\.specifiedDate" is set to a date on which the/i, (world) => world.put('specifiedDate', '2020-01-01')],
  [/"\$\.tenureDate" is set to a valid past date/, (world) => world.put('tenureDate', '2020-01-01')],
  [/with property "\$\.specifiedDate" set to "([^"]*)"$/, (world, text) => world.put('specifiedDate', text)],
  [/"\$\.additional_property" is set to "foo_value"$/, (world) => world.put('additional_property', 'foo_value')],
  [
    /does not contain neither "\$\.phoneNumber" nor "\$\.hashedPhoneNumber"$/,
    (world) => world.put('$.phoneNumber', undefined),
  ],
  [/body property "\$\.phoneNumber" is set to the phone number identified by/, nothing],
  [
    /body property "\$\.phoneNumber" is set to a valid phone number different from/,
    (world) => world.put('$.phoneNumber', '+917020141799'),
  ],
  [
    /body property "\$\.hashedPhoneNumber" is set to the phone number identified/,
    (world) => hashed(world, world.phoneNumber),
  ],
  [
    /body property "\$\.hashedPhoneNumber" is set to a valid phone number different/,
    (world) => hashed(world, '+917020141799'),
  ],
  [
    /"\$\.hashedPhoneNumber" is set to a valid phone number compliant/,
    (world) => world.put('hashedPhoneNumber', hash('sha256', world.phoneNumber, 'hex')),
  ],
  [
    /^the request body property "(\$\.[\w.]+)" is set to the JSON (.*)$/,
    (world, path, text) => world.put(path!, JSON.parse(text!)),
  ],
  [
    /^the request body is set to the text (.*)$/,
    (world, text) => {
      world.body = text
    },
  ],
  [/^the phone number ends in (\d{4})$/, (world, suffix) => world.setNumberEnding(suffix!)],
]

function hashed(world: World, phoneNumber: string): void {
  world.body = { hashedPhoneNumber: hash('sha256', phoneNumber, 'hex') }
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Values of the fields that a made-up subscriber does not have. */
const more: Partial<Record<KycField, string>> = {
  ...{ middleNames: 'Devi', nameKanaHankaku: 'ﾗｵ ｱｼｬ', nameKanaZenkaku: 'ラオ アシャ', houseNumberExtension: 'B' },
}

/** The value of the subscriber, who gets one if there is none. */
function known(world: World, field: KycField): string {
  const value = world.subscriber[field] ?? more[field]
  if (value === undefined) throw new Error(`the subscriber has no ${field}`)
  world.know({ subscriber: { [field]: value } })
  return value
}

/** A valid value that is not that of the subscriber. */
function other(world: World, field: KycField): string {
  const value = known(world, field)
  const { format, enum: values } = kycFields[field] as { format?: string; enum?: readonly string[] }
  if (values) return values.find((each) => each !== value)!
  if (format === 'date') return field === 'birthdate' ? '1978-08-22' : '2039-12-31'
  if (/country|nationality/i.test(field)) return value === 'SE' ? 'NO' : 'SE'
  if (field === 'bankAccountNumber') return 'IBAN:NL59ABNA0123456789'
  return field === 'email' ? 'somebody@example.org' : `${value.slice(0, 2)}xq`
}

const areas: readonly Step[] = [
  [/"\$\.area" is set to a valid area covered by the service( where the device is located)?$/, nothing],
  [
    /"\$\.area" is set to a valid area covered by the service where the device is not located$/,
    (world) => world.put('$.area.center', { latitude: 52.5, longitude: 13.4 }),
  ],
  [/"\$\.area\.areaType" is set to "CIRCLE"$|"\$\.area\.center" is set to a location covered/, nothing],
  [/"\$\.area\.radius" is set to a value smaller than the minimum/, (world) => world.put('$.area.radius', 1)],
  [/"\$\.area" is set to an area not covered/, (world) => refuse(world, 422, 'LOCATION_VERIFICATION.AREA_NOT_COVERED')],
  [/"(\$[\w.]+)" is not included$/, (world, path) => world.put(path!, undefined)],
  [
    /"(\$[\w.]+)" does not comply with the OAS schema/,
    (world, path) => world.put(path!, /phoneNumber$/.test(path!) ? '34666' : /ipv4/.test(path!) ? '84.125.93.10' : []),
  ],
]

/** The first one whose form fits counts. */
export const given: readonly Step[] = [...environment, ...tokens, ...maxAge, ...bodies, ...areas, ...facts, ...numbers]
