// Which events are shown? A kind and an outcome, both in the URL.

import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'

export const kinds = {
  all: 'Everything',
  'decision.created': 'Decisions',
  'device.*': 'Device reports',
  'sign_in.*': 'Sign-ins',
  'telecom.*': 'Telecom checks',
  'token.*': 'Tokens',
  'label.*': 'Labels',
  'otp.*': 'Messages',
} as const
export type Kind = keyof typeof kinds

export const outcomes = {
  any: 'Any outcome',
  BLOCK: 'Block',
  CHALLENGE: 'Challenge',
  REVIEW: 'Review',
  WARN: 'Warn',
  ALLOW: 'Allow',
  failed: 'Failed',
  refused: 'Refused',
} as const
export type Outcome = keyof typeof outcomes

interface EventFilters {
  readonly kind?: Kind
  readonly outcome?: Outcome
  /** ISO times; only Search has them. */
  readonly from?: string
  readonly to?: string
}

/** What the URL says; anything else is left out. */
export function readFilters(search: Readonly<Record<string, unknown>>): EventFilters {
  const { kind, outcome, from, to } = search
  return {
    ...(typeof kind === 'string' && kind in kinds && { kind: kind as Kind }),
    ...(typeof outcome === 'string' && outcome in outcomes && { outcome: outcome as Outcome }),
    ...(isTime(from) && { from }),
    ...(isTime(to) && { to }),
  }
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** As the call wants them. */
export const sentFilters = ({ kind = 'all', outcome = 'any', from, to }: EventFilters, allMeans?: Kind) => {
  const type = kind === 'all' ? allMeans : kind
  return {
    ...(type !== undefined && type !== 'all' && { types: [type] }),
    ...(outcome !== 'any' && { outcome }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

export interface FiltersProps {
  value: EventFilters
  onChange: (filters: EventFilters) => void
}

export function Filters({ value: { kind = 'all', outcome = 'any', ...times }, onChange }: FiltersProps) {
  const change = (next: { kind: Kind; outcome: Outcome }) =>
    onChange({
      ...times,
      ...(next.kind !== 'all' && { kind: next.kind }),
      ...(next.outcome !== 'any' && { outcome: next.outcome }),
    })
  return (
    <>
      <TimeRange
        value={times}
        onAny={() => onChange({ ...(kind !== 'all' && { kind }), ...(outcome !== 'any' && { outcome }) })}
      />
      <Select bare label="Kind" options={kinds} value={kind} onChange={(next) => change({ kind: next, outcome })} />
      <Select
        bare
        label="Outcome"
        options={outcomes}
        value={outcome}
        onChange={(next) => change({ kind, outcome: next })}
      />
    </>
  )
}

/** The time that is shown, and a way to show any. */
export function TimeRange({ value, onAny }: { value: Parameters<typeof rangeText>[0]; onAny: () => void }) {
  const range = rangeText(value)
  if (range === undefined) return null
  return (
    <Button aria-label={`${texts.search.anyTime}: ${range}`} onPress={onAny}>
      <span className="figures">{range}</span> <Icon name="close" size={14} />
    </Button>
  )
}

const moment = new Intl.DateTimeFormat(locale, {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})

/** Undefined for any time. */
function rangeText({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}): string | undefined {
  if (from !== undefined && to !== undefined) return moment.formatRange(Date.parse(from), Date.parse(to))
  if (from !== undefined) return `From ${moment.format(Date.parse(from))}`
  return to === undefined ? undefined : `Until ${moment.format(Date.parse(to))}`
}
