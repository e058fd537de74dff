// How is it going? Decisions over time, what they rest on, sign-ins, operators, data, and what needs attention.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../../api/session.tsx'
import type { Overview } from '../../api/types.ts'
import { useRuleNames } from '../../api/use-rule-names.ts'
import { toneOf } from '../../parts/actions.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { percent } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { channelName } from '../../words/events.ts'
import { methodName } from '../../words/methods.ts'
import { reasonName } from '../../words/reasons.ts'
import { dataName } from '../../words/stored.ts'
import { actionsInOrder, sumOf } from './columns.ts'
import { DecisionsChart } from './decisions-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import { defaultRange, type Range, ranges, timesOf } from './range.ts'
import './overview.css'

/** How often a visible page reads it again. */
const everyMs = 30_000

export function OverviewPage() {
  const { range = defaultRange } = useSearch({ from: '/' })
  const navigate = useNavigate()
  const { call } = useSession()
  const answer = useQuery({
    queryKey: ['readOverview', range],
    queryFn: ({ signal }) => call('readOverview', timesOf(range, Date.now()), { signal }),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  })
  const ruleName = useRuleNames(answer.data?.rules.map(({ name }) => name))
  const names = Object.fromEntries(Object.entries(ranges).map(([id, { name }]) => [id, `Last ${name}`])) as Record<
    Range,
    string
  >
  return (
    <>
      <PageHead title={texts.pages.overview}>
        <Select
          bare
          label="Time range"
          options={names}
          value={range}
          onChange={(next) =>
            void navigate({ to: '/', search: next === defaultRange ? {} : { range: next }, replace: true })
          }
        />
      </PageHead>
      <FirstSteps />
      <Answer of={answer} lines={10}>
        {(data) => (
          <div className="overview">
            {data.attention.length > 0 && <Attention attention={data.attention} />}
            <Decisions overview={data} />
            <Frequent title="Top reasons" named={data.reasons} empty="No decision had a reason." nameOf={reasonName} />
            <Frequent title="Rules that fired" named={data.rules} empty="No rule fired." nameOf={ruleName} />
            <SignIns signIns={data.signIns} />
            {data.operators.length > 0 && <Operators operators={data.operators} />}
            {data.data.length > 0 && <DataAges data={data.data} />}
          </div>
        )}
      </Answer>
    </>
  )
}

function Decisions({ overview }: { overview: Overview }) {
  const { decisions, reviews, countedUntil, from, to } = overview
  const total = sumOf(decisions)
  return (
    <div className="overview-wide">
      <Card
        title="Decisions"
        aside={
          countedUntil && (
            <span className="dim overview-until">
              counted until <Time at={countedUntil} />
            </span>
          )
        }
      >
        <div className="totals">
          <div>
            <strong className="figures">{total.toLocaleString(locale)}</strong>
            <span className="dim">in total</span>
          </div>
          {actionsInOrder.map((action) => (
            <Link key={action} to="/search" search={{ kind: 'decision.created', outcome: action, from, to }}>
              <strong className="figures">{(decisions[action] ?? 0).toLocaleString(locale)}</strong>
              <span className={`total-name ${toneOf(action)}`}>
                <i className="dot" aria-hidden="true" />
                {texts.actions[action]}
              </span>
            </Link>
          ))}
          {reviews.open > 0 && (
            <Link to="/reviews">
              <strong className="figures">{reviews.open >= 1000 ? '1,000+' : reviews.open}</strong>
              <span className="dim">wait for review</span>
            </Link>
          )}
        </div>
        {total === 0 ? (
          <Empty icon="live" title="No decisions in this time">
            Choose a longer time range, or see <Link to="/live">what happens now</Link>.
          </Empty>
        ) : (
          <DecisionsChart overview={overview} />
        )}
      </Card>
    </div>
  )
}

interface FrequentProps {
  title: string
  named: Overview['reasons']
  empty: string
  /** Of a code. */
  nameOf?: (name: string) => string
}

/** The longest bar is the most frequent one. */
function Frequent({ title, named, empty, nameOf = (name) => name }: FrequentProps) {
  const most = named[0]?.count ?? 1
  return (
    <Card title={title}>
      {named.length === 0 ? (
        <p className="dim">{empty}</p>
      ) : (
        <ol className="frequent">
          {named.map(({ name, count }) => (
            <li key={name}>
              <span>{nameOf(name)}</span>
              <span className="figures">{count.toLocaleString(locale)}</span>
              <meter min={0} max={most} value={count} aria-hidden="true" />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function SignIns({ signIns }: Pick<Overview, 'signIns'>) {
  return (
    <Card title="Sign-ins" flush={signIns.length > 0}>
      {signIns.length === 0 ? (
        <p className="dim">Nobody signed in.</p>
      ) : (
        <Table head={{ Method: '', Started: 'number', Verified: 'number', Failed: 'number', Refused: 'number wide' }}>
          {signIns.map(({ channel, method, started, completed, failed, refused }) => (
            <tr key={`${channel} ${method}`}>
              <td>
                {channelName(channel)} <span className="dim">{methodName(method)}</span>
              </td>
              <td className="number figures">{started.toLocaleString(locale)}</td>
              <td className="number figures">
                {completed.toLocaleString(locale)}{' '}
                {started > 0 && <span className="dim">{percent(completed / started)}</span>}
              </td>
              <td className="number figures">{failed.toLocaleString(locale)}</td>
              <td className="number figures wide">{refused.toLocaleString(locale)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

function Operators({ operators }: Pick<Overview, 'operators'>) {
  return (
    <Card title="Operators and gateways" flush>
      <Table head={{ Upstream: '', Calls: 'number', Failed: 'number', Median: 'number wide', p95: 'number' }}>
        {operators.map(({ name, calls, failed, medianMs, slowMs }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="number figures">{calls.toLocaleString(locale)}</td>
            <td className="number figures">{failed.toLocaleString(locale)}</td>
            <td className="number figures wide">{latencyText(medianMs)}</td>
            <td className="number figures">{latencyText(slowMs)}</td>
          </tr>
        ))}
      </Table>
      <p className="overview-note dim">As this server has measured since it started.</p>
    </Card>
  )
}

const latencyText = (ms: number | undefined) => (ms === undefined ? texts.common.unknown : `≤ ${ms} ms`)

function DataAges({ data }: Pick<Overview, 'data'>) {
  return (
    <Card title="Data" flush>
      <table className="table">
        <tbody>
          {data.map(({ name, datedAt }) => (
            <tr key={name}>
              <td>{dataName(name)}</td>
              <td className="number dim">
                <Time at={datedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Attention({ attention }: Pick<Overview, 'attention'>) {
  return (
    <div className="overview-wide">
      <Card title="Needs attention">
        <ul className="attention">
          {inLines(attention).map(({ kind, name, since, count }) => (
            <li key={`${kind} ${name}`}>
              <Icon name="warning" />
              <span>
                <Link to={attentionOf[kind].to}>{attentionOf[kind].text}</Link> {name && <code>{dataName(name)}</code>}
              </span>
              <span className="dim">
                {count !== undefined && <Badge tone="amber">{count.toLocaleString(locale)}</Badge>}
                {since && <Time at={since} />}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

type Attending = Overview['attention'][number]

/** What grew old is one line, with the oldest: a page of them hides the rest. */
function inLines(attention: readonly Attending[]): readonly Attending[] {
  const [first, ...more] = attention
    .filter(({ kind }) => kind === 'data-old')
    .toSorted((one, other) => Date.parse(one.since ?? '') - Date.parse(other.since ?? ''))
  if (first === undefined || more.length === 0) return attention
  return [...attention.filter(({ kind }) => kind !== 'data-old'), { ...first, name: '', count: more.length + 1 }]
}

const attentionOf = {
  'webhook-failing': { text: 'A webhook does not accept events', to: '/webhooks' },
  'webhook-disabled': { text: 'A webhook is disabled', to: '/webhooks' },
  'data-old': { text: 'Data is old', to: '/system' },
  'publication-waiting': { text: 'Rules wait for your approval', to: '/rules' },
  'reviews-overdue': { text: 'Reviews are overdue', to: '/reviews' },
  'operator-failing': { text: 'An operator often does not answer', to: '/system' },
} as const
