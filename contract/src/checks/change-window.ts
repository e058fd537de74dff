// Did something change within a window? What SIM swap and device swap have in common: parameters, answer and CAMARA's two calls.

import Type, { type Static } from 'typebox'
import { type CheckDefaults, camaraCall, NothingStated, NotStated, WindowTooLong } from './check.ts'
import { DateTime, timeOf } from './date-time.ts'

/** Bounds of `maxAge`: those of CAMARA, because the specification has none. */
export const maxAgeHours = { minimum: 1, maximum: 2400 } as const

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long ago a change was, at most. */
const ageBands = {
  WITHIN_1_DAY: dayMs,
  WITHIN_3_DAYS: 3 * dayMs,
  WITHIN_7_DAYS: 7 * dayMs,
  WITHIN_30_DAYS: 30 * dayMs,
  WITHIN_90_DAYS: 90 * dayMs,
  WITHIN_365_DAYS: 365 * dayMs,
  OLDER: Number.POSITIVE_INFINITY,
} as const
type AgeBand = keyof typeof ageBands

export const WindowParams = Type.Object({
  maxAge: Type.Optional(
    Type.Integer({
      ...maxAgeHours,
      description: 'Lookback window in hours; default: that of the operator or the service (240)',
      examples: [240],
    }),
  ),
})

export const WindowOperator = Type.Object(
  {
    defaultMaxAgeHours: Type.Optional(
      Type.Integer({ ...maxAgeHours, description: 'window when the caller sends no maxAge' }),
    ),
    limitHours: Type.Optional(
      Type.Integer({ ...maxAgeHours, description: 'how far the operator may look back by law or contract' }),
    ),
  },
  { additionalProperties: false, description: 'the window of these checks' },
)

/**
 * The window is `maxAge`, else the operator's default, else the service's, within the operator's limit. A CAMARA client cannot see a
 * shorter window than its 240 hours in the answer, so that it is refused.
 */
export function fillWindow(
  { maxAge, asks }: Static<typeof WindowParams> & ServedParams,
  { limitHours, defaultMaxAgeHours }: Static<typeof WindowOperator>,
  { maxAgeHours }: CheckDefaults,
): Window {
  const usual = asks ? camaraMaxAgeHours : (defaultMaxAgeHours ?? maxAgeHours)
  const withinLimit = Math.min(usual, limitHours ?? Number.POSITIVE_INFINITY)
  const wanted = maxAge ?? (asks === 'check' ? usual : withinLimit)
  if (limitHours !== undefined && wanted > limitHours) throw new WindowTooLong('beyond the limit', limitHours)
  return { maxAge: wanted, ...(asks === 'date' && { needsDate: true }) }
}

/** Equal for equal windows. The answer to a question for the date is not that to a question for the window. */
export const windowKey = ({ maxAge, needsDate }: Window) => `${maxAge}${needsDate ? 'd' : ''}`

/** CAMARA's default, which a client of our CAMARA API relies on, whatever ours is. */
export const camaraMaxAgeHours = 240

/** What only our own CAMARA API asks. */
interface ServedParams {
  readonly asks?: 'check' | 'date'
}

/** `what`: "the SIM was changed". */
export const windowAnswer = (what: string) =>
  Type.Object({
    swapped: Type.Boolean({
      description: `true: ${what} within the window; false: no such change was found within it`,
    }),
    maxAgeHours: Type.Integer({ description: 'The window, in hours' }),
    latestChange: Type.Optional(DateTime('When it last changed; only where the operator reports the date')),
    ageBand: Type.Optional(
      Type.Enum(Object.keys(ageBands) as AgeBand[], {
        description: 'How long ago it last changed, at most; only where the operator reports the date',
      }),
    ),
  })
type WindowAnswer = Static<ReturnType<typeof windowAnswer>>
const firstSimCardMs = Date.UTC(1991, 0)

export interface Window {
  readonly maxAge: number
  /** Only a call that reports the date of the change answers it. */
  readonly needsDate?: true
}

/**
 * Whether a change at this time is within the window.
 *
 * @param latestChange RFC 3339 with its zone, as the operator wrote it
 * @throws NotStated for any other text, and for a date that cannot be: 30 February, before the first SIM card (the sentinel
 *   1900-01-01), or more than a day ahead. Less than that, a clock or a time zone is wrong.
 */
export function changedWithin(latestChange: string, { maxAge }: Window, nowMs: number): WindowAnswer {
  const changedMs = timeOf(latestChange)
  const ageMs = nowMs - changedMs
  if (Number.isNaN(ageMs) || changedMs < firstSimCardMs || ageMs < -dayMs) throw new NotStated('impossible date')
  const [ageBand] = Object.entries(ageBands).find(([, limitMs]) => ageMs <= limitMs)!
  return {
    swapped: ageMs <= maxAge * hourMs,
    maxAgeHours: maxAge,
    latestChange: new Date(changedMs).toISOString(),
    ageBand: ageBand as AgeBand,
  }
}

/** What both APIs refuse: a window that is too long. */
export const windowRefusals = { OUT_OF_RANGE: { status: 400, means: 'window' } } as const

/** CAMARA's `check` and `retrieve-date`. `dateField`: latestSimChange, latestDeviceChange. */
export const changeCalls = <Field extends string>(api: string, dateField: Field) => [
  camaraCall({
    resource: 'check',
    scope: `${api}:check`,
    answers: ({ needsDate }: Window) => !needsDate,
    body: ({ maxAge }: Window) => ({ maxAge }),
    Body: { maxAge: Type.Optional(Type.Integer(maxAgeHours)) },
    Response: Type.Object({ swapped: Type.Boolean() }),
    read: ({ swapped }, { maxAge }): WindowAnswer => ({ swapped, maxAgeHours: maxAge }),
    served: {
      params: ({ maxAge }: { maxAge?: number }) => ({ asks: 'check', ...(maxAge !== undefined && { maxAge }) }),
      respond: ({ swapped }) => ({ swapped }),
    },
  }),
  camaraCall({
    resource: 'retrieve-date',
    scope: `${api}:retrieve-date`,
    Response: Type.Object({
      // CAMARA's own examples have nine fractional digits.
      [dateField]: Type.Union([DateTime('Time of the latest change'), Type.Null()]),
      monitoredPeriod: Type.Optional(Type.Integer({ minimum: 0, description: 'days' })),
    }),
    read(response, question: Window, nowMs): WindowAnswer {
      const latest = (response as Record<string, unknown>)[dateField] as string | null
      if (latest !== null) return changedWithin(latest, question, nowMs)
      // Null means "no change during the monitored period". Without a period it may also mean that the number has no SIM.
      const monitoredPeriod = response.monitoredPeriod as number | undefined
      if (monitoredPeriod === undefined) throw new NothingStated('neither date nor period')
      if (question.needsDate) return { swapped: false, maxAgeHours: monitoredPeriod * 24 }
      if (monitoredPeriod * 24 < question.maxAge)
        throw new WindowTooLong(
          'no date, and the monitored period is shorter than the window',
          monitoredPeriod > 0 ? monitoredPeriod * 24 : undefined,
        )
      return { swapped: false, maxAgeHours: question.maxAge }
    },
    served: {
      params: () => ({ asks: 'date' }),
      respond({ swapped, maxAgeHours, latestChange }) {
        if (latestChange !== undefined) return { [dateField]: latestChange }
        // No change within the window is what CAMARA's null with a monitored period says; a change without its date is not.
        return swapped ? undefined : { [dateField]: null, monitoredPeriod: Math.floor(maxAgeHours / 24) }
      },
      nothing: () => ({ [dateField]: null }),
    },
  }),
]
