// What did the check of the rules find? Mistakes, failed cases, cost, and calls to operators.

import type { CheckedRules } from '../../../api/types.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Card } from '../../../parts/card.tsx'
import { checkTitle } from '../../../words/check-name.ts'
import './edit.css'

export function CheckBadge({ checked, isChecking }: { checked: CheckedRules | undefined; isChecking: boolean }) {
  if (isChecking || !checked) return <Badge>Checking</Badge>
  const { mistakes, failedCases, cost } = checked
  if (mistakes.length > 0)
    return <Badge tone="red">{mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`}</Badge>
  if (failedCases.length > 0)
    return <Badge tone="red">{failedCases.length === 1 ? '1 case fails' : `${failedCases.length} cases fail`}</Badge>
  if (cost.microseconds > cost.budget) return <Badge tone="red">Too expensive</Badge>
  return <Badge tone="green">Valid</Badge>
}

function Cost({ cost: { microseconds, budget, costliest } }: { cost: CheckedRules['cost'] }) {
  const text = `A decision takes at most ${microseconds} of ${budget} µs of CPU time for these rules.`
  if (microseconds <= budget) return <li>{text}</li>
  const named = costliest.map((each) => `${each.name} (${each.microseconds})`).join(', ')
  return (
    <li className="mistake">
      {text} They cannot be published. The most expensive: {named}.
    </li>
  )
}

export function Results({ checked }: { checked: CheckedRules }) {
  const { mistakes, failedCases, cases, operatorCalls, cost, blocksEverybody, rules } = checked
  const nameOf = (id: string) => rules.find((rule) => rule.id === id)?.name ?? id
  return (
    <Card title="Check">
      <ul className="check-list">
        {mistakes.map(({ line, column, reason }) => (
          <li key={`${line} ${column} ${reason}`} className="mistake">
            Line {line}, column {column}: {reason}
          </li>
        ))}
        {failedCases.map(({ rule, number, name, expected }) => (
          <li key={`${rule} ${number}`} className="mistake">
            {nameOf(rule)}, {name ?? `case ${number}`}:{' '}
            {expected === 'fires' ? 'it should fire, and stays silent' : 'it should stay silent, and fires'}
          </li>
        ))}
        {blocksEverybody && <li className="mistake">These rules block every session.</li>}
        {mistakes.length === 0 && (
          <li>
            {cases === 0
              ? 'No rule has a case yet.'
              : failedCases.length === 0
                ? `All ${cases} cases pass.`
                : `${cases - failedCases.length} of ${cases} cases pass.`}
          </li>
        )}
        {mistakes.length === 0 && <Cost cost={cost} />}
        {operatorCalls.map(({ check, readBy }) => (
          <li key={check}>
            {readBy.map(nameOf).join(', ')}: a decision calls the operator for a {checkTitle(check)} check, unless it is
            decided without. Operators may charge for it.
          </li>
        ))}
      </ul>
    </Card>
  )
}
