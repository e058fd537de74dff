// What would a version have decided? A job of the service: its id is in the URL, so it survives a reload.

import { useSearch } from '@tanstack/react-router'
import { useMay } from '../../api/session.tsx'
import type { Backtest } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { dayText, fieldName, percent } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { checkTitle } from '../../words/check-name.ts'
import { versionName } from '../decision/rules-card.tsx'
import './backtest.css'
import './rules.css'

const readEveryMs = 1_000
const states = { running: 'accent', done: 'green', cancelled: 'neutral', failed: 'red', interrupted: 'amber' } as const

export function BacktestPage() {
  const { id = '' } = useSearch({ from: '/rules/backtest' })
  const mayWrite = useMay()('rules.write')
  const { data, error, refetch } = useRead(
    'readBacktest',
    { backtestId: id },
    {
      refetchInterval: ({ state }) => (state.data?.state === 'running' ? readEveryMs : false),
    },
  )
  const cancelling = useChange((call) => call('cancelBacktest', { backtestId: id }), { reads: ['readBacktest'] })
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={8} />
  const { version, against, state, done, total, startedBy, startedAt, days, result } = data
  return (
    <>
      <PageHead
        over="Backtest"
        title={versionName(version)}
        beside={<Badge tone={states[state]}>{fieldName(state)}</Badge>}
        under={
          <>
            <span>
              Compared with {versionName(against).toLowerCase()}, over {days} days
            </span>
            <span>
              {startedBy}, <Time at={startedAt} />
            </span>
          </>
        }
      >
        {state === 'running' && mayWrite && (
          <Button isDisabled={cancelling.isPending} onPress={() => cancelling.mutate()}>
            Cancel
          </Button>
        )}
        <Link to="/rules" search={{ version }} className="button">
          Back to the rules
        </Link>
      </PageHead>
      {state === 'running' && (
        <Card title="Replaying">
          <progress
            className="backtest-progress"
            max={Math.max(total, 1)}
            value={Math.min(done, total)}
            aria-label="Progress"
          />
          <p className="dim figures">
            {done.toLocaleString(locale)} of {total.toLocaleString(locale)} decisions. You may leave this page.
          </p>
        </Card>
      )}
      {state === 'interrupted' && (
        <Empty icon="warning" title="The backtest was interrupted">
          The server that ran it has stopped. Start it again from the rules.
        </Empty>
      )}
      {result && <Result result={result} />}
    </>
  )
}

type Outcome = NonNullable<Backtest['result']>
/** Small shares differ in their tenths. */
const shareText = (share: number | undefined) => percent(share, share !== undefined && share < 0.1 ? 1 : 0)
const precisionText = (precision: Outcome['precision']) =>
  precision
    ? `${shareText(precision.share)} (${Math.round(precision.low * 100)}–${Math.round(precision.high * 100)})`
    : shareText(undefined)
const number = (count: number) => count.toLocaleString(locale)

function Result({ result }: { result: Outcome }) {
  const { all, rules, required, changes, days, operatorCalls } = result
  if (all.decisions === 0) {
    return (
      <Empty icon="rules" title="No decision is stored in this time">
        A backtest replays stored decisions. Make some first.
      </Empty>
    )
  }
  return (
    <div className="backtest">
      <p className="dim">
        An entry of a list counts from when it was added: decisions before that are replayed without it.
      </p>
      <Card title="By day">
        <DayChart days={days} />
      </Card>
      <Card title="By rule" flush>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where the screen is narrow */}
        <section className="backtest-scroll" aria-label="By rule" tabIndex={0}>
          <Table
            head={{
              Rule: 'name',
              Action: '',
              Fired: 'number',
              Decided: 'number wide',
              Precision: 'number wide',
              Recall: 'number wide',
              Examples: 'wide',
            }}
          >
            {rules.map(({ id, name, action, fired, decided, precision, recall, examples }) => (
              <tr key={id}>
                <td>{name}</td>
                <td>
                  <ActionBadge action={action} />
                </td>
                <td className="number figures">{number(fired.decisions)}</td>
                <td className="number wide figures">{number(decided)}</td>
                <td className="number wide figures">{precisionText(precision)}</td>
                <td className="number wide figures">{shareText(recall)}</td>
                <td className="wide">
                  {examples.slice(0, 3).map((decisionId) => (
                    <Link
                      key={decisionId}
                      to="/decisions/$decisionId"
                      params={{ decisionId }}
                      className="backtest-example"
                    >
                      {decisionId.slice(-6)}
                    </Link>
                  ))}
                </td>
              </tr>
            ))}
          </Table>
        </section>
      </Card>
      {required.decisions.decisions > 0 && <RequiredCard required={required} />}
      <Card title="What changes">
        {changes.length === 0 && <p className="dim">Every decision has the same action.</p>}
        <ul className="shadow-changes">
          {changes.map(({ from, to, decisions }) => (
            <li key={`${from} ${to}`}>
              <ActionBadge action={from} /> → <ActionBadge action={to} /> <b>{number(decisions.decisions)}</b>
            </li>
          ))}
        </ul>
        <p className="dim">
          {all.bad + all.good === 0
            ? 'No decision has a label, so precision and recall are not known.'
            : `${number(all.bad)} labelled as bad, ${number(all.good)} as good.`}{' '}
          {Object.entries(operatorCalls.now)
            .map(
              ([check, calls]) => `${number(calls ?? 0)} decisions call the operator for a ${checkTitle(check)} check`,
            )
            .join('; ')}
          {Object.keys(operatorCalls.now).length > 0 && '.'}
        </p>
      </Card>
    </div>
  )
}

const shownActions = ['BLOCK', 'CHALLENGE', 'REVIEW', 'WARN'] as const
const height = 120
const width = 720

/** Bars of what was not allowed on each day; a line for the version that it is compared with. */
function DayChart({ days }: { days: Outcome['days'] }) {
  const stopped = (counts: Outcome['byAction']) => shownActions.reduce((sum, action) => sum + counts[action], 0)
  const most = Math.max(1, ...days.flatMap(({ byAction, before }) => [stopped(byAction), before ? stopped(before) : 0]))
  const step = width / Math.max(days.length, 1)
  const y = (count: number) => height - (count / most) * height
  const before = days.map((day, index) => `${(index + 0.5) * step},${y(day.before ? stopped(day.before) : 0)}`)
  return (
    <figure className="day-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Decisions that were not allowed, by day"
      >
        {days.map(({ day, byAction }, index) => {
          let top = height
          return shownActions.map((action) => {
            const size = (byAction[action] / most) * height
            top -= size
            return (
              <rect
                key={`${day} ${action}`}
                className={action.toLowerCase()}
                x={index * step + step * 0.15}
                y={top}
                width={step * 0.7}
                height={size}
              >
                <title>{`${dayText(day)}: ${byAction[action]} ${texts.actions[action]}`}</title>
              </rect>
            )
          })
        })}
        <polyline points={before.join(' ')} />
      </svg>
      <figcaption className="dim">
        <span>{days[0] && dayText(days[0].day)}</span>
        <span>Not allowed: at most {number(most)} a day. Line: the other version.</span>
        <span>{days.at(-1) && dayText(days.at(-1)!.day)}</span>
      </figcaption>
    </figure>
  )
}

function RequiredCard({ required: { decisions, byPart } }: { required: Outcome['required'] }) {
  return (
    <Card title="Not known">
      <p className="dim">
        {number(decisions.decisions)} decisions are not allowed only because something required is not known,{' '}
        {number(decisions.good)} of them labelled good and {number(decisions.bad)} bad.
      </p>
      <ul className="shadow-changes">
        {Object.entries(byPart).map(([part, tally]) => (
          <li key={part}>
            <code>{part}</code> <b>{number(tally.decisions)}</b>
          </li>
        ))}
      </ul>
    </Card>
  )
}
