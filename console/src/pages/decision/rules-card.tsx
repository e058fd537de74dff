// Which rules decided? Those that fired, and those that lacked one condition, each with what it read.

import { useMay } from '../../api/session.tsx'
import type { EvaluatedRule, InvestigatedDecision, RuleCondition } from '../../api/types.ts'
import { useRuleNames } from '../../api/use-rule-names.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Condition } from '../../parts/condition.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { texts } from '../../texts.ts'
import './decision.css'

export function RulesCard({ decision: { rules, evaluated, silent = 0 } }: { decision: InvestigatedDecision }) {
  const mayRead = useMay()('rules.read')
  const ruleOf = (id: string) => evaluated?.find((rule) => rule.id === id)
  // A role that may not read rules, or a version that is not stored any more.
  const nameOf = useRuleNames(evaluated ? [] : rules.fired)
  const nearly = evaluated?.filter(({ state }) => state === 'nearly') ?? []
  return (
    <Card
      title="Rules"
      aside={
        mayRead ? (
          <Link to="/rules" search={{ version: rules.version }} className="card-link">
            {versionName(rules.version)}
          </Link>
        ) : (
          <span className="dim">{versionName(rules.version)}</span>
        )
      }
    >
      {rules.fired.length === 0 && <p className="dim">No rule fired, so the action is Allow.</p>}
      <ul className="fired">
        {decisiveFirst(rules).map((id) => (
          <Rule key={id} name={ruleOf(id)?.name ?? nameOf(id)} rule={ruleOf(id)} isDecisive={id === rules.decisive} />
        ))}
      </ul>
      {nearly.length > 0 && (
        <details className="silent" open={rules.fired.length === 0}>
          <summary>
            {nearly.length} {nearly.length === 1 ? 'rule' : 'rules'} nearly fired
          </summary>
          <ul className="fired nearly">
            {nearly.map((rule) => (
              <Rule key={rule.id} name={rule.name} rule={rule} isDecisive={false} />
            ))}
          </ul>
        </details>
      )}
      {evaluated && silent > 0 && (
        <p className="silent dim">
          {silent} {silent === 1 ? 'other rule' : 'other rules'} stayed silent.
        </p>
      )}
    </Card>
  )
}

/** In their order, but the one that set the action stands at the top. */
const decisiveFirst = ({ fired, decisive }: InvestigatedDecision['rules']) =>
  fired.toSorted((one, other) => Number(other === decisive) - Number(one === decisive))

export const versionName = (version: number) => (version === 0 ? 'Default rules' : `Version ${version}`)

interface RuleProps {
  name: string
  rule: EvaluatedRule | undefined
  isDecisive: boolean
}

function Rule({ name, rule, isDecisive }: RuleProps) {
  return (
    <li data-decisive={isDecisive || undefined}>
      <p className="fired-head">
        <b>{name}</b>
        {isDecisive && <Badge>Decided</Badge>}
        {rule && <ActionBadge action={rule.action} />}
      </p>
      {rule && (
        <ul className="comparisons">
          {rule.conditions.map((condition) => (
            <Comparison key={condition.text} {...condition} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The mark has a word too, for those who do not see it. What was read is shown where the text does not have it already. */
function Comparison({ text, holds, values }: RuleCondition) {
  const read = Object.entries(values)
  const isKnown = read.length > 0
  return (
    <li className="comparison" data-holds={holds}>
      <Icon name={holds ? 'check' : 'close'} size={13} />
      <span className="visually-hidden">{holds ? 'True: ' : 'Not true: '}</span>
      <span>
        <Condition text={text} />
        {isKnown ? (
          read.map(([path, value]) => (
            <span key={path} className="comparison-read">
              {read.length > 1 && <code>{path} </code>}was <code>{JSON.stringify(value)}</code>
            </span>
          ))
        ) : (
          <span className="comparison-read">{texts.common.unknown.toLowerCase()}</span>
        )}
      </span>
    </li>
  )
}
