// Which last digits of a phone number select which scenario? The table, as data: server and guide use it.

import type { RefusalName } from './camara/errors.ts'
import type { Fault } from './faults.ts'
import type { Phone } from './phone.ts'
import type { SubscriberChange } from './subscriber/subscriber.ts'

/** The kinds of call forwarding that CAMARA's call-forwarding-signal knows. */
export const forwardingKinds = [
  'unconditional',
  'conditional_busy',
  'conditional_not_reachable',
  'conditional_no_answer',
] as const
export type ForwardingKind = (typeof forwardingKinds)[number]

/** How a number differs from an ordinary one. A missing field is as for an ordinary number. */
export interface Scenario {
  /** The last four digits that select it. */
  readonly suffixes: readonly [string, ...string[]]
  readonly name: string
  /** What a caller sees, in one sentence. */
  readonly shows: string
  /** A window of this many hours finds the change; one hour less does not. null: the operator may not say when it was. */
  readonly simChangedHoursAgo?: number | null
  /** How many days back the operator knows SIM changes (CAMARA's monitoredPeriod). */
  readonly monitoredPeriodDays?: number
  /** The operator refuses a longer window with OUT_OF_RANGE. */
  readonly lookBackHours?: number
  /** Active forwarding. null: the operator does not say. */
  readonly forwarding?: readonly ForwardingKind[] | null
  readonly serving?: 'not the home operator' | 'home again after a port' | 'without checks' | 'unknown'
  /** CAMARA calls return this error. */
  readonly refusal?: RefusalName
  /** CAMARA calls have this fault. */
  readonly fault?: Fault
  /** The portability source returns this error. */
  readonly portabilityRefusal?: RefusalName
  /** The phone that opens the operator's URL with this number as its hint (Number Verification). */
  readonly phone?: Partial<Omit<Phone, 'number'>> & { readonly hasOtherNumber?: boolean }
  /** As `simChangedHoursAgo`, for the phone. */
  readonly deviceChangedHoursAgo?: number
  readonly subscriber?: SubscriberChange
}

/**
 * 011x SIM · 012x forwarding · 013x portability · 014x refused · 015x broken · 016x the subscriber and the phone ·
 * 017x the phone that opens the operator's URL. 0156–0159 repeat the most useful scenarios, because Australia (0491 570 110, 156, 157, 158, 159) and North America (555-01xx) reserve numbers with them for fiction.
 */
export const scenarios: readonly Scenario[] = [
  {
    suffixes: ['0110'],
    name: 'sim-changed-1-hour-ago',
    shows: 'The SIM was changed within the last hour: every window finds it.',
    simChangedHoursAgo: 1,
  },
  {
    suffixes: ['0111'],
    name: 'sim-changed-100-hours-ago',
    shows: 'A window of 100 hours or more finds the change, 99 hours do not; the default of 240 does.',
    simChangedHoursAgo: 100,
  },
  {
    suffixes: ['0112'],
    name: 'sim-changed-500-hours-ago',
    shows: 'A window of 500 hours or more finds the change; the default of 240 does not.',
    simChangedHoursAgo: 500,
  },
  {
    suffixes: ['0113'],
    name: 'sim-change-date-unknown',
    shows: 'The operator knows the last 120 days only, and there was no change: the date is null.',
    simChangedHoursAgo: null,
    monitoredPeriodDays: 120,
  },
  {
    suffixes: ['0114'],
    name: 'look-back-7-days',
    shows: 'By law the operator looks back at most 168 hours; a longer window is 400 OUT_OF_RANGE.',
    lookBackHours: 168,
  },
  {
    suffixes: ['0120', '0157'],
    name: 'forwarded',
    shows: 'All calls are forwarded.',
    forwarding: ['unconditional'],
  },
  {
    suffixes: ['0121'],
    name: 'forwarded-when-busy-or-unanswered',
    shows: 'Calls are forwarded when busy or unanswered, for example to voicemail; not unconditionally.',
    forwarding: ['conditional_busy', 'conditional_no_answer'],
  },
  {
    suffixes: ['0122'],
    name: 'forwarding-not-stated',
    shows: 'The operator does not say: `{}` without `active`, and 501 for the kinds of forwarding.',
    forwarding: null,
  },
  {
    suffixes: ['0130', '0158'],
    name: 'ported',
    shows: 'Ported: the operator that serves the number is not the one it was allocated to.',
    serving: 'not the home operator',
  },
  {
    suffixes: ['0131'],
    name: 'ported-back-home',
    shows: 'Ported away and back: its home operator serves it, so it is not ported.',
    serving: 'home again after a port',
  },
  {
    suffixes: ['0132'],
    name: 'operator-unknown',
    shows: 'The portability source does not know the number: 404 IDENTIFIER_NOT_FOUND.',
    serving: 'unknown',
  },
  {
    suffixes: ['0133'],
    name: 'portability-source-down',
    shows:
      'The portability source returns 503, so Ringfence does not know the operator. Direct calls of the checks work.',
    portabilityRefusal: 'unavailable',
  },
  {
    suffixes: ['0140', '0159'],
    name: 'operator-without-checks',
    shows: 'Served by SANDBOX_BASIC, which offers neither check; a direct call returns 422 SERVICE_NOT_APPLICABLE.',
    serving: 'without checks',
  },
  {
    suffixes: ['0141'],
    name: 'service-not-applicable',
    shows: 'The operator offers the checks, but not for this number: 422 SERVICE_NOT_APPLICABLE.',
    refusal: 'serviceNotApplicable',
  },
  {
    suffixes: ['0142'],
    name: 'identifier-not-found',
    shows: 'The operator of the number does not know it: 404 IDENTIFIER_NOT_FOUND.',
    refusal: 'identifierNotFound',
  },
  {
    suffixes: ['0143'],
    name: 'permission-denied',
    shows: 'The subscriber objected to the check: 403 PERMISSION_DENIED.',
    refusal: 'permissionDenied',
  },
  {
    suffixes: ['0150'],
    name: 'internal-error',
    shows: 'The operator returns 500.',
    refusal: 'internal',
  },
  {
    suffixes: ['0151'],
    name: 'unavailable',
    shows: 'The operator returns 503.',
    refusal: 'unavailable',
  },
  {
    suffixes: ['0152'],
    name: 'too-many-requests',
    shows: 'The operator returns 429 TOO_MANY_REQUESTS with `Retry-After: 1`.',
    refusal: 'tooManyRequests',
  },
  {
    suffixes: ['0153'],
    name: 'slow',
    shows: 'The operator returns the correct response after 30 seconds.',
    fault: { kind: 'slow', delayMs: 30_000 },
  },
  {
    suffixes: ['0154'],
    name: 'connection-reset',
    shows: 'The operator resets the connection.',
    fault: { kind: 'reset' },
  },
  {
    suffixes: ['0155'],
    name: 'garbage',
    shows: 'The operator returns 200 with bytes that are not JSON.',
    fault: { kind: 'garbage' },
  },
  {
    suffixes: ['0156'],
    name: 'taken-over',
    shows: 'Everything at once: SIM changed within the last hour, all calls forwarded, number ported.',
    simChangedHoursAgo: 1,
    forwarding: ['unconditional'],
    serving: 'not the home operator',
  },
  {
    suffixes: ['0160'],
    name: 'device-changed-2-hours-ago',
    shows: 'The number moved to another phone two hours ago: an eSIM that somebody else installed.',
    deviceChangedHoursAgo: 2,
  },
  {
    suffixes: ['0161'],
    name: 'device-changed-300-hours-ago',
    shows: 'The number moved to another phone 300 hours ago: the default window of 240 does not find it.',
    deviceChangedHoursAgo: 300,
  },
  {
    suffixes: ['0162'],
    name: 'recycled-in-2026',
    shows: 'The number has had another subscriber since 2026-03-01.',
    subscriber: { recycledOn: '2026-03-01' },
  },
  {
    suffixes: ['0163'],
    name: 'subscribed-in-2026',
    shows: 'A prepaid number that its subscriber has had since 2026-05-01.',
    subscriber: { subscribedOn: '2026-05-01', contractType: 'PAYG' },
  },
  {
    suffixes: ['0164'],
    name: 'roaming',
    shows: 'The phone is in a network in Germany.',
    subscriber: { roaming: { mobileCountryCode: 262, country: 'DE' } },
  },
  {
    suffixes: ['0165'],
    name: 'not-reachable',
    shows: 'The phone is switched off.',
    subscriber: { connectivity: [] },
  },
  {
    suffixes: ['0166'],
    name: 'elsewhere',
    shows: 'The phone is in the South Pacific (48.9° south, 123.4° west), far from every coast.',
    subscriber: { place: { latitude: -48.88, longitude: -123.39 } },
  },
  {
    suffixes: ['0167'],
    name: 'partly-inside',
    shows:
      'The network locates the phone within 5,812 metres: 5,000 metres around the same point cover 74 % of that area.',
    subscriber: { place: { accuracy: 5812 } },
  },
  {
    suffixes: ['0168'],
    name: 'another-name',
    shows: 'The subscriber is a company: it has a name, and no birth date, gender or identity document.',
    subscriber: {
      name: 'Harbour Trading Limited',
      ...{ birthdate: null, gender: null, idDocument: null, idDocumentType: null, idDocumentExpiryDate: null },
      ...{ cityOfBirth: null, countryOfBirth: null, nationality: null },
    },
  },
  {
    suffixes: ['0170'],
    name: 'phone-on-wifi',
    shows: 'The phone is on Wi-Fi, so the operator does not know it: `error=login_required`.',
    phone: { connection: 'wifi' },
  },
  {
    suffixes: ['0171'],
    name: 'phone-with-another-number',
    shows: 'The phone has the SIM of another number: the number is not verified.',
    phone: { hasOtherNumber: true },
  },
  {
    suffixes: ['0172'],
    name: 'phone-on-foreign-network',
    shows: 'The phone is on the mobile data of another operator: `error=login_required`.',
    phone: { connection: 'foreign' },
  },
  {
    suffixes: ['0173'],
    name: 'verification-consent-missing',
    shows: 'The subscriber has not agreed to the verification: `error=consent_required`.',
    phone: { consentMissing: true },
  },
  {
    suffixes: ['0174'],
    name: 'phone-identified-otherwise',
    shows: 'The operator identified the subscriber without the network: 403 USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK.',
    phone: { identifiedOtherwise: true },
  },
]

const bySuffix = new Map(
  scenarios.flatMap((scenario) => scenario.suffixes.map((suffix) => [suffix, scenario] as const)),
)

/** The scenario of the last four digits. undefined: an ordinary number, with nothing to find. */
export function scenarioOf(digits: string): Scenario | undefined {
  return bySuffix.get(digits.slice(-4))
}
