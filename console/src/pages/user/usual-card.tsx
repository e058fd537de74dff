// What is usual for the account? Countries, networks, operators and hours of its proven sessions.

import type { ShownHabits } from '../../api/types.ts'
import { Card } from '../../parts/card.tsx'
import { country } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import '../setup/setup.css'
import '../sign-in/sign-in-channels.css'
import './user.css'

export function UsualCard({ usual }: { usual: ShownHabits | undefined }) {
  if (!usual) {
    return (
      <Card title="What is usual">
        <p className="dim">
          Not known: no session of the account was proven yet. A sign-in, a passed challenge or a good label proves one.
        </p>
      </Card>
    )
  }
  const { sessions, sources, firstAt, isEnough, countries, networks, operators, numbers } = usual
  return (
    <Card title="What is usual">
      <p className="dim usual-head">
        {sessions} proven {sessions === 1 ? 'session' : 'sessions'} from {sources}{' '}
        {sources === 1 ? 'installation' : 'installations'} since <Time at={firstAt} />
        {!isEnough && '. Too few for rules to call something new.'}
      </p>
      <Shares
        name="Countries"
        values={countries.map((each) => ({ ...each, value: country(each.value) ?? each.value }))}
      />
      <Shares name="Networks" values={networks.map((each) => ({ ...each, value: `AS ${each.value}` }))} />
      <Shares name="Operators" values={operators} />
      <Hours usual={usual} />
      {numbers > 0 && (
        <p className="dim usual-foot">
          {numbers} phone {numbers === 1 ? 'number' : 'numbers'}; only keyed hashes are stored.
        </p>
      )}
    </Card>
  )
}

/** More are rare. */
const mostShown = 5

function Shares({ name, values }: { name: string; values: ShownHabits['countries'] }) {
  if (values.length === 0) return null
  const most = Math.max(...values.map(({ sessions }) => sessions))
  return (
    <section className="shares" aria-label={name}>
      <h3>{name}</h3>
      <ul>
        {values.slice(0, mostShown).map(({ value, sessions }) => (
          <li key={value}>
            <span>{value}</span>
            <meter min={0} max={most} value={sessions} aria-label={`${sessions} sessions`} />
            <span className="dim figures">{sessions}</span>
          </li>
        ))}
      </ul>
      {values.length > mostShown && <p className="dim">and {values.length - mostShown} more</p>}
    </section>
  )
}

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour)
const barWidth = 10
const barHeight = 44

/** A bar for each hour of the day in UTC. */
function Hours({ usual: { hours } }: { usual: ShownHabits }) {
  const sessionsAt = new Map(hours.map(({ value, sessions }) => [Number(value), sessions]))
  const most = Math.max(1, ...sessionsAt.values())
  const usualHours = [...sessionsAt].filter(([, sessions]) => sessions > 0).map(([hour]) => hour)
  return (
    <section className="shares" aria-label="Hours">
      <h3>Hours (UTC)</h3>
      <svg
        className="hours"
        viewBox={`0 0 ${24 * barWidth} ${barHeight + 14}`}
        role="img"
        aria-label={hoursText(usualHours)}
      >
        {hoursOfDay.map((hour) => {
          const height = ((sessionsAt.get(hour) ?? 0) / most) * barHeight
          return (
            <rect
              key={hour}
              className={height > 0 ? 'hour' : 'hour none'}
              x={hour * barWidth + 1}
              y={barHeight - Math.max(2, height)}
              width={barWidth - 2}
              height={Math.max(2, height)}
              rx={1}
            />
          )
        })}
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={hour * barWidth + 1} y={barHeight + 12}>
            {hour}
          </text>
        ))}
      </svg>
    </section>
  )
}

const hoursText = (hours: readonly number[]) =>
  hours.length === 0
    ? 'No hours are known'
    : `Sessions begin at ${hours.toSorted((a, b) => a - b).join(', ')} o’clock UTC`
