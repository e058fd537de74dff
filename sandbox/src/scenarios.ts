// Which endings of a phone number show which scenario? The whole table, as data: server, guide and console read it.

import type { RefusalName } from './camara/errors.ts'
import type { Fault } from './faults.ts'

/** The kinds of call forwarding that CAMARA's call-forwarding-signal knows. */
export const forwardingKinds = [
  'unconditional',
  'conditional_busy',
  'conditional_not_reachable',
  'conditional_no_answer',
] as const
export type ForwardingKind = (typeof forwardingKinds)[number]

/** What is out of the ordinary about a number; what is left out is as with any ordinary number. */
export interface Scenario {
  /** The last four digits that show it. */
  readonly suffixes: readonly [string, ...string[]]
  readonly name: string
  /** What a caller sees, in one sentence. */
  readonly shows: string
  /** A window of so many hours finds the change, one hour less does not; null: the operator may not tell when it was. */
  readonly simChangedHoursAgo?: number | null
  /** For how many days back the operator knows of SIM changes (CAMARA's monitoredPeriod). */
  readonly monitoredPeriodDays?: number
  /** A longer window is refused with OUT_OF_RANGE. */
  readonly lookBackHours?: number
  /** Active forwarding; null: the operator does not say. */
  readonly forwarding?: readonly ForwardingKind[] | null
  readonly serving?: 'not the home operator' | 'home again after a port' | 'without checks' | 'unknown'
  /** The CAMARA calls answer with this error. */
  readonly refusal?: RefusalName
  /** The CAMARA calls suffer from this fault. */
  readonly fault?: Fault
  /** The portability source answers with this error. */
  readonly portabilityRefusal?: RefusalName
}

/**
 * 011x SIM · 012x forwarding · 013x portability · 014x refused · 015x broken. 0156–0159 repeat what is wanted most, so that
 * the Australian numbers reserved for fiction (0491 570 110, 156, 157, 158, 159) and the North American 555-01xx show it.
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
    shows: 'No change in the last 120 days, and nothing is told of the time before: the date is null.',
    simChangedHoursAgo: null,
    monitoredPeriodDays: 120,
  },
  {
    suffixes: ['0114'],
    name: 'look-back-7-days',
    shows: 'The law lets the operator look back 168 hours; a longer window is 400 OUT_OF_RANGE.',
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
    shows: 'Calls are forwarded when busy or unanswered, as to a voicemail; not unconditionally.',
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
    shows: 'Ported: another operator serves the number than the one that it was allocated to.',
    serving: 'not the home operator',
  },
  {
    suffixes: ['0131'],
    name: 'ported-back-home',
    shows: 'Ported away and back again: served by its home operator, so not ported.',
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
      'The portability source answers 503, so that Ringfence cannot tell the operator; asked directly, the checks work.',
    portabilityRefusal: 'unavailable',
  },
  {
    suffixes: ['0140', '0159'],
    name: 'operator-without-checks',
    shows:
      'Served by SANDBOX_BASIC, which offers neither check; asked all the same it answers 422 SERVICE_NOT_APPLICABLE.',
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
    shows: 'The operator answers 500.',
    refusal: 'internal',
  },
  {
    suffixes: ['0151'],
    name: 'unavailable',
    shows: 'The operator answers 503.',
    refusal: 'unavailable',
  },
  {
    suffixes: ['0152'],
    name: 'too-many-requests',
    shows: 'The operator answers 429 TOO_MANY_REQUESTS with `Retry-After: 1`.',
    refusal: 'tooManyRequests',
  },
  {
    suffixes: ['0153'],
    name: 'slow',
    shows: 'The operator answers correctly, after 30 seconds.',
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
    shows: 'The operator answers 200 with bytes that are no JSON.',
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
]

const bySuffix = new Map(
  scenarios.flatMap((scenario) => scenario.suffixes.map((suffix) => [suffix, scenario] as const)),
)

/** The scenario that the last four digits choose; undefined: an ordinary number, with nothing found. */
export function scenarioOf(digits: string): Scenario | undefined {
  return bySuffix.get(digits.slice(-4))
}
