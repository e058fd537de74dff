// Which amounts, rules and checks are behind the rates?

import type { Performance } from '../../api/types.ts'
import { useRuleNames } from '../../api/use-rule-names.ts'
import { Card } from '../../parts/card.tsx'
import { Link } from '../../parts/link.tsx'
import { Table } from '../../parts/table.tsx'
import { locale } from '../../parts/values/locale.ts'
import { checkName } from '../../words/check-name.ts'
import type { FigureFilters } from '../search/figures.ts'
import { shareText } from './rate-chart.tsx'
import { sumText } from './tiles.tsx'
import './performance.css'

const figure = (count: number) => count.toLocaleString(locale)

export function AmountsCard({ amounts }: { amounts: Performance['current']['amounts'] }) {
  if (amounts.length === 0) return null
  return (
    <Card title="Amounts" flush>
      <Table
        head={{
          Currency: '',
          'Fraud blocked*': 'number',
          'Fraud missed*': 'number',
          'Good refused*': 'number wide',
          All: 'number wide',
        }}
      >
        {amounts.map(({ currency, blockedFraud, missedFraud, goodRefused, total }) => (
          <tr key={currency}>
            <td>{currency === 'other' ? 'Others' : currency || 'Not named'}</td>
            <td className="number figures">{sumText(blockedFraud, currency)}</td>
            <td className="number figures">{sumText(missedFraud, currency)}</td>
            <td className="number wide figures">{sumText(goodRefused, currency)}</td>
            <td className="number wide figures">{sumText(total, currency)}</td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

interface RulesCardProps {
  performance: Pick<Performance, 'rules' | 'from' | 'to'>
  /** Kept when the decisions of a rule are opened. */
  filters: FigureFilters
}

export function RulesCard({ performance: { rules, from, to }, filters }: RulesCardProps) {
  const ruleName = useRuleNames(rules.map(({ rule }) => rule))
  return (
    <Card title="Rules by false positives" flush={rules.length > 0}>
      {rules.length === 0 ? (
        <p className="dim">No rule fired.</p>
      ) : (
        <Table
          head={{
            Rule: 'name',
            Fired: 'number',
            'Before ': 'number wide',
            Decided: 'number wide',
            'Bad*': 'number',
            'Good stopped*': 'number',
            'Overturned by review': 'number wide',
          }}
        >
          {rules.map(({ rule, fired, firedBefore, decided, bad, good, overturned }) => (
            <tr key={rule}>
              <td>
                <Link to="/search" search={{ ...filters, kind: 'decision.created', rule, from, to }}>
                  {ruleName(rule)}
                </Link>
              </td>
              <td className="number figures">{figure(fired)}</td>
              <td className="number wide figures dim">{figure(firedBefore)}</td>
              <td className="number wide figures">{figure(decided)}</td>
              <td className="number figures">{figure(bad)}</td>
              <td className="number figures">{figure(good)}</td>
              <td className="number wide figures">{figure(overturned)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}

export function ChecksCard({ performance: { checks, cost: spent } }: { performance: Performance }) {
  const hasCost = spent !== undefined
  return (
    <Card title="Checks by operator" flush={checks.length > 0}>
      {checks.length === 0 ? (
        <p className="dim">No decision called an operator.</p>
      ) : (
        <Table
          head={{
            Check: 'name',
            Calls: 'number wide',
            Answered: 'number',
            Median: 'number wide',
            p95: 'number',
            Before: 'number wide',
            'Timed out': 'number',
            Failed: 'number wide',
            ...(hasCost && { Cost: 'number wide' }),
          }}
        >
          {checks.map(({ check, operator, answered, timeouts, failed, medianMs, slowMs, slowBeforeMs, cost }) => {
            const calls = answered + timeouts + failed
            return (
              <tr key={`${check} ${operator}`}>
                <td>
                  {checkName(check)}
                  <p className="dim">{operator || 'Operator not known'}</p>
                </td>
                <td className="number wide figures">{figure(calls)}</td>
                <td className="number figures">{shareText(answered / Math.max(1, calls))}</td>
                <td className="number wide figures">{latencyText(medianMs)}</td>
                <td className="number figures">{latencyText(slowMs)}</td>
                <td className="number wide figures dim">{latencyText(slowBeforeMs)}</td>
                <td className="number figures">{figure(timeouts)}</td>
                <td className="number wide figures">{figure(failed)}</td>
                {hasCost && <td className="number wide figures">{sumText(cost ?? 0, spent.currency)}</td>}
              </tr>
            )
          })}
        </Table>
      )}
    </Card>
  )
}

const latencyText = (ms: number | undefined) => (ms === undefined ? '–' : `${Math.round(ms).toLocaleString(locale)} ms`)

export function UpstreamsCard({ upstreams }: Pick<Performance, 'upstreams'>) {
  return (
    <Card title="Latency of operators" flush>
      <Table head={{ Upstream: '', Calls: 'number', Failed: 'number wide', Median: 'number', p95: 'number' }}>
        {upstreams.map(({ name, calls, failed, medianMs, slowMs }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="number figures">{figure(calls)}</td>
            <td className="number wide figures">{figure(failed)}</td>
            <td className="number figures">{latencyText(medianMs)}</td>
            <td className="number figures">{latencyText(slowMs)}</td>
          </tr>
        ))}
      </Table>
      <p className="dim performance-under">All calls that this server has made since it started.</p>
    </Card>
  )
}
