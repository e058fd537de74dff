// How did a rate change? A line, with the period before in grey; each point is a link to its decisions.

import { useNavigate } from '@tanstack/react-router'
import type { Performance } from '../../api/types.ts'
import { ChartPoints } from '../../parts/chart-points.tsx'
import { dayText, percent } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import type { FigureFilters } from '../search/figures.ts'
import { rates, runsOf } from './rates.ts'
import { type RateName, rateNames } from './search.ts'
import './performance.css'

const [width, height] = [960, 180]
/** Labels of younger days still arrive. */
const settleMs = 14 * 86_400_000

interface RateChartProps {
  performance: Performance
  /** Kept when a point is opened. */
  filters: FigureFilters
  rate: RateName
}

export function RateChart({ performance: { steps, to, stepSeconds }, filters, rate }: RateChartProps) {
  const navigate = useNavigate()
  const { of, isOfLabels } = rates[rate]
  const [now, before] = [steps.map(({ figures }) => of(figures)), steps.map(({ previous }) => of(previous))]
  const known = [...now, ...before].filter((value) => value !== undefined)
  if (known.length === 0) return <p className="dim">No decision that this rate is of.</p>
  const top = Math.max(0.01, ...known)
  const step = width / steps.length
  const x = (index: number) => (index + 0.5) * step
  const y = (value: number) => height - (value / top) * (height - 8) - 4
  const lines = (points: readonly (number | undefined)[], className: string) =>
    runsOf(points).map(({ from, values }) => (
      <polyline
        key={from}
        className={className}
        points={values.map((value, i) => `${x(from + i)},${y(value)}`).join(' ')}
      />
    ))
  const open = (at: string) => {
    const until = new Date(Date.parse(at) + stepSeconds * 1000).toISOString()
    const outcome = rate === 'challenges' && { outcome: 'CHALLENGE' as const }
    void navigate({ to: '/search', search: { ...filters, kind: 'decision.created', ...outcome, from: at, to: until } })
  }
  const unsettled = steps.findIndex(({ at }) => Date.parse(at) + stepSeconds * 1000 > Date.parse(to) - settleMs)
  return (
    <figure className="rates">
      <div className="rates-axis dim figures" aria-hidden="true">
        <span>{shareText(top)}</span>
        <span>{shareText(0)}</span>
      </div>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        <title>{summary(rate, now)}</title>
        {isOfLabels && unsettled >= 0 && (
          <rect
            className="rates-unsettled"
            x={unsettled * step}
            y="0"
            width={width - unsettled * step}
            height={height}
          />
        )}
        {lines(before, 'rates-before')}
        {lines(now, 'rates-now')}
        <ChartPoints
          size={[width, height]}
          labels={steps.map(
            ({ at }, index) =>
              `${timeText(at, stepSeconds)}: ${shareText(now[index])}, before ${shareText(before[index])}`,
          )}
          onOpen={(index) => open(steps[index]!.at)}
        >
          {(index) =>
            now[index] !== undefined && <path className="rates-dot" d={`M${x(index)} ${y(now[index])}h0.01`} />
          }
        </ChartPoints>
      </svg>
      <div className="rates-times dim figures" aria-hidden="true">
        <span>{timeText(steps[0]!.at, stepSeconds)}</span>
        <span>{timeText(steps.at(-1)!.at, stepSeconds)}</span>
      </div>
    </figure>
  )
}

const summary = (rate: RateName, points: readonly (number | undefined)[]) =>
  `${rateNames[rate]} over time; at the end ${shareText(points.findLast((value) => value !== undefined))}`

export const shareText = (value: number | undefined) => percent(value, 1)

const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const timeText = (at: string, stepSeconds: number) => (stepSeconds < 86_400 ? hour.format(Date.parse(at)) : dayText(at))
