// How many decisions were there, by action over time? Stacked columns; each is a link to its decisions.

import { useNavigate } from '@tanstack/react-router'
import type { Overview } from '../../api/types.ts'
import { toneOf } from '../../parts/actions.ts'
import { ChartPoints } from '../../parts/chart-points.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'
import { actionsInOrder, type Column, columnsOf, roundUp } from './columns.ts'
import './overview.css'

const [width, height] = [960, 180]

export function DecisionsChart({ overview }: { overview: Overview }) {
  const navigate = useNavigate()
  const columns = columnsOf(overview)
  const top = roundUp(Math.max(...columns.map(({ total }) => total)))
  const step = width / columns.length
  const open = ({ at, until }: Column) =>
    void navigate({ to: '/search', search: { kind: 'decision.created', from: at, to: until } })
  return (
    <figure className="chart">
      <div className="chart-axis dim figures" aria-hidden="true">
        <span>{top.toLocaleString(locale)}</span>
        <span>{top > 1 ? (top / 2).toLocaleString(locale) : ''}</span>
        <span>0</span>
      </div>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        <title>{summary(columns)}</title>
        {[0, 0.5, 1].map((part) => (
          <line key={part} x1="0" x2={width} y1={height * part} y2={height * part} className="chart-line" />
        ))}
        <ChartPoints size={[width, height]} labels={columns.map(columnText)} onOpen={(index) => open(columns[index]!)}>
          {(index) =>
            partsOf(columns[index]!).map(({ action, below, count }) => (
              <rect
                key={action}
                x={index * step + step * 0.12}
                y={height * (1 - (below + count) / top)}
                width={step * 0.76}
                height={(height * count) / top}
                className={`chart-part ${toneOf(action)}`}
              />
            ))
          }
        </ChartPoints>
      </svg>
      <div className="chart-times dim figures" aria-hidden="true">
        <span>{timeText(overview.from, overview.stepSeconds)}</span>
        <span>{timeText(columns[Math.floor(columns.length / 2)]!.at, overview.stepSeconds)}</span>
        <span>{timeText(overview.to, overview.stepSeconds)}</span>
      </div>
    </figure>
  )
}

function partsOf({ counts }: Column) {
  let below = 0
  return actionsInOrder.flatMap((action) => {
    const count = counts[action] ?? 0
    if (count === 0) return []
    below += count
    return [{ action, count, below: below - count }]
  })
}

const columnText = (column: Column) =>
  [
    `${timeText(column.at, 60)} – ${timeText(column.until, 60)}`,
    ...partsOf(column).map(({ action, count }) => `${texts.actions[action]}: ${count.toLocaleString(locale)}`),
  ].join('\n')

function summary(columns: readonly Column[]): string {
  const total = columns.reduce((sum, column) => sum + column.total, 0)
  const most = columns.reduce((one, other) => (other.total > one.total ? other : one))
  return `${total.toLocaleString(locale)} decisions; most at ${timeText(most.at, 60)}: ${most.total.toLocaleString(locale)}`
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const date = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' })
const both = new Intl.DateTimeFormat(locale, {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})

function timeText(at: string, stepSeconds: number): string {
  if (stepSeconds >= 3 * 3600) return date.format(Date.parse(at))
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return (isToday ? clock : both).format(Date.parse(at))
}
