// Which rules decide? A version with each rule in words and as text, and who changed what.

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { RuleVersions, ShownRule, ShownRules } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Condition } from '../../parts/condition.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { versionName } from '../decision/rules-card.tsx'
import { DifferencesCard, ShadowCard } from './comparison-card.tsx'
import { ExamplesCard } from './examples-card.tsx'
import type { Figures } from './figures.ts'
import { PolicyCard } from './policy-card.tsx'
import { RequestsCard } from './requests-card.tsx'
import { RequirementsCard } from './requirements-card.tsx'
import { CasesCard, RuleFiguresCard } from './rule-figures.tsx'
import { RuleHistoryCard } from './rule-history.tsx'
import { RuleLines } from './rule-lines.tsx'
import { useFigures } from './use-figures.ts'
import { VersionActions } from './version-actions.tsx'
import { VersionsCard } from './versions-card.tsx'
import './rules.css'

export function RulesPage() {
  const { version, against } = useSearch({ from: '/rules' })
  const versions = useRead('listRuleVersions', {})
  const shown = useRead('readRules', { version: version === undefined ? 'live' : String(version) })
  const stagesOf = (number: number) => versions.data?.versions.find((each) => each.version === number)?.stages ?? []
  const live = versions.data?.versions.find(({ stages }) => stages.includes('live'))?.version
  const from = against ?? live
  const error = versions.error ?? shown.error
  if (error) return <Failed error={error} onRetry={() => void Promise.all([versions.refetch(), shown.refetch()])} />
  return (
    <>
      <PageHead
        title={texts.pages.rules}
        beside={shown.data && <Badge tone="accent">{versionName(shown.data.version)}</Badge>}
        under="They are evaluated in this order; the strictest action of those that fire is the answer."
      >
        {shown.data && versions.data && (
          <VersionActions
            version={shown.data.version}
            stages={stagesOf(shown.data.version)}
            live={live}
            shadow={versions.data.shadow}
            rollBack={versions.data.rollBack}
          />
        )}
      </PageHead>
      <Stages versions={versions.data?.versions ?? []} shown={shown.data?.version} />
      <div className="rules">
        <div className="rules-main">
          <RequestsCard />
          {shown.data && from !== undefined && from !== shown.data.version && (
            <DifferencesCard from={from} to={shown.data.version} />
          )}
          {shown.data ? <RuleList key={shown.data.version} shown={shown.data} from={from} /> : <Loading lines={12} />}
        </div>
        <div className="rules-side">
          <ShadowCard />
          <PolicyCard />
          {versions.data && <VersionsCard {...versions.data} shown={shown.data?.version} />}
          <History live={live} />
        </div>
      </div>
    </>
  )
}

const stageNames = { live: 'Live', shadow: 'Shadow', draft: 'Draft' } as const

/** Links to the version in each stage; a stage that no version is in is not listed. */
function Stages({ versions, shown }: { versions: RuleVersions['versions']; shown: number | undefined }) {
  const inStages = (['live', 'shadow', 'draft'] as const).flatMap((stage) => {
    const found = versions.find(({ stages }) => stages.includes(stage))
    return found ? [{ stage, version: found.version }] : []
  })
  if (inStages.length < 2) return null
  return (
    <nav className="stages" aria-label="Stages">
      {inStages.map(({ stage, version }) => (
        <Link key={stage} to="/rules" search={{ version }} isCurrent={version === shown}>
          {stageNames[stage]}
        </Link>
      ))}
    </nav>
  )
}

interface RuleListProps {
  shown: ShownRules
  /** The version that it is compared with. */
  from: number | undefined
}

function RuleList({ shown, from }: RuleListProps) {
  const { rules, velocity = {} } = shown
  const figures = useFigures(shown.version)
  const changed = useChanged(from, shown.version)
  const [openId, setOpenId] = useState<string>()
  const counts = Object.entries(velocity)
  return (
    <>
      {rules.length === 0 ? (
        <Empty icon="rules" title="This version has no rules">
          Every decision is Allow.
        </Empty>
      ) : (
        <RuleLines
          rules={rules}
          figures={figures}
          changed={changed}
          openId={openId}
          onOpen={(id) => setOpenId(id === openId ? undefined : id)}
          detail={(id) => <RuleDetail rule={rules.find((each) => each.id === id)!} figures={figures(id)} />}
        />
      )}
      <RequirementsCard shown={shown} />
      {counts.length > 0 && (
        <Card title="Velocities">
          <dl className="velocities">
            {counts.map(([name, { per, within, count, distinct, sum, when }]) => (
              <div key={name}>
                <dt>
                  <code>velocity.{name}</code>
                </dt>
                <dd>
                  {distinct
                    ? `Different values of ${distinct}`
                    : sum
                      ? `Sum of ${sum}`
                      : `Number of ${count ?? 'decisions'}`}{' '}
                  per {per} within {within}
                  {when !== undefined && <Condition text={when} />}
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
    </>
  )
}

/** Rules that differ from another version. */
function useChanged(from: number | undefined, to: number): ReadonlyMap<string, 'added' | 'changed'> {
  const { data } = useRead(
    'compareRules',
    { from: String(from), to: String(to) },
    { enabled: from !== undefined && from !== to, staleTime: Number.POSITIVE_INFINITY },
  )
  const differences = (data?.differences ?? []).filter(({ of, change }) => of === 'rule' && change !== 'removed')
  return new Map(differences.map(({ id, change }) => [id, change === 'added' ? 'added' : 'changed']))
}

/** What the open line says beside its figures. */
function RuleDetail({ rule, figures }: { rule: ShownRule; figures: Figures | undefined }) {
  const { id, when, score, description, message, cases = [] } = rule
  return (
    <>
      {description && <p className="dim">{description}</p>}
      <Condition text={when} framed />
      <p className="rule-foot">
        <code>{id}</code>
        {score !== 0 && <span>Score {score}</span>}
        {message && <span>“{message}”</span>}
      </p>
      <RuleFiguresCard figures={figures} />
      <ExamplesCard ruleId={id} />
      {cases.length > 0 && <CasesCard cases={cases} />}
      <RuleHistoryCard ruleId={id} />
    </>
  )
}

const changes = {
  draft: 'drafted',
  shadow: 'put into shadow',
  live: 'made live',
  'end-shadow': 'ended the shadow of',
} as const

function History({ live }: { live: number | undefined }) {
  const { data } = useRead('readRuleHistory', {})
  if (!data) return null
  return (
    <Card title="Changes">
      {data.changes.length === 0 ? (
        <p className="dim">
          Nobody has changed the default rules. Who publishes a version is listed here, with the reason.
        </p>
      ) : (
        <ol className="rule-changes">
          {data.changes.map(({ number, changedBy, change, version, changedAt, note }) => (
            <li key={number}>
              <p>
                <b>{changedBy}</b> {changes[change]} {versionName(version).toLowerCase()}
              </p>
              {note !== '' && <p className="dim">{note}</p>}
              <p className="dim">
                <Time at={changedAt} />
              </p>
              {change === 'live' && version !== live && (
                <Link to="/rules" search={{ version, ...(live !== undefined && { against: live }) }}>
                  Go back to it
                </Link>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
