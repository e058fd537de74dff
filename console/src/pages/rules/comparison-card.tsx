// What differs? A version from the live one, rule by rule; and what the version in shadow would have decided.

import type { RuleDifferences } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { locale } from '../../parts/values/locale.ts'
import { versionName } from '../decision/rules-card.tsx'
import './rules.css'

export const changeTones = { added: 'green', removed: 'red', changed: 'amber', moved: 'neutral' } as const

interface Versions {
  from: number
  to: number
}

const titleOf = (from: number) => `Differences from ${versionName(from).toLowerCase()}`

export function DifferencesCard({ from, to }: Versions) {
  return (
    <Card title={titleOf(from)}>
      <Differences from={from} to={to} />
    </Card>
  )
}

/** More new rules than this are a new rule set, of which the names come first. */
const mostOpen = 5

export function Differences({ from, to }: Versions) {
  const { data, error, refetch } = useRead('compareRules', { from: String(from), to: String(to) })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={3} />
  if (data.differences.length === 0) return <p className="dim">The rules are the same.</p>
  const isShort = data.differences.filter(({ change }) => change === 'added').length <= mostOpen
  return (
    <ul className="differences" aria-label={titleOf(from)}>
      {data.differences.map((each) => (
        <Difference key={`${each.of} ${each.id}`} difference={each} isOpen={isShort && each.change === 'added'} />
      ))}
    </ul>
  )
}

function Difference({
  difference: { of, id, name = id, change, fields },
  isOpen,
}: {
  difference: RuleDifferences['differences'][number]
  isOpen: boolean
}) {
  const head = (
    <>
      <Badge tone={changeTones[change]}>{change}</Badge>{' '}
      {of === 'rule' ? <b>{name}</b> : <code>{of === 'velocity' ? `velocity.${id}` : id}</code>}
    </>
  )
  const all = <ChangedFields fields={fields} />
  // A whole rule is long: a person opens those of interest.
  return (
    <li>
      {change === 'changed' || fields.length === 0 ? (
        <>
          <p>{head}</p>
          {all}
        </>
      ) : (
        <details open={isOpen}>
          <summary>{head}</summary>
          {all}
        </details>
      )}
    </li>
  )
}

/** Each field, before and after. */
export const ChangedFields = ({ fields }: Pick<RuleDifferences['differences'][number], 'fields'>) =>
  fields.map(({ field, before, after }) => (
    <dl key={field}>
      <dt>{field}</dt>
      {before !== undefined && <dd className="before">{shown(before)}</dd>}
      {after !== undefined && <dd className="after">{shown(after)}</dd>}
    </dl>
  ))

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

export function ShadowCard() {
  const { data } = useRead('compareRuleShadow', {})
  if (data?.version === undefined) return null
  return (
    <Card title={`Shadow: ${versionName(data.version).toLowerCase()}`}>
      <p className="dim">
        {data.decisions === 0
          ? 'No decision was made since it runs in shadow.'
          : `The same action in ${data.same.toLocaleString(locale)} of the last ${data.decisions.toLocaleString(locale)} decisions.`}
      </p>
      <ul className="shadow-changes">
        {data.changes.map(({ live, shadow, decisions, examples }) => (
          <li key={`${live} ${shadow}`}>
            <ActionBadge action={live} /> → <ActionBadge action={shadow} /> <b>{decisions.toLocaleString(locale)}</b>
            <span>
              {examples.map((decisionId) => (
                <Link key={decisionId} to="/decisions/$decisionId" params={{ decisionId }}>
                  {decisionId.slice(0, 8)}
                </Link>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
