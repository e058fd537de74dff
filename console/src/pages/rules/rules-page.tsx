// Which rules decide? A version with each rule in words and as text, and who changed what.

import { useSearch } from '@tanstack/react-router'
import type { RuleVersions, ShownRule, ShownRules } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Condition } from '../../parts/condition.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts.ts'
import { versionName } from '../decision/rules-card.tsx'
import { DifferencesCard, ShadowCard } from './comparison-card.tsx'
import { PolicyCard } from './policy-card.tsx'
import { RequestsCard } from './requests-card.tsx'
import { RequirementsCard } from './requirements-card.tsx'
import { VersionActions } from './version-actions.tsx'
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
        {shown.data && (
          <VersionActions
            version={shown.data.version}
            stages={stagesOf(shown.data.version)}
            live={live}
            shadow={versions.data?.shadow}
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
          {shown.data ? <RuleList shown={shown.data} /> : <Loading lines={12} />}
        </div>
        <div className="rules-side">
          <ShadowCard />
          <PolicyCard />
          {versions.data && <Versions {...versions.data} shown={shown.data?.version} />}
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

function RuleList({ shown }: { shown: ShownRules }) {
  const { rules, velocity = {} } = shown
  const counts = Object.entries(velocity)
  return (
    <>
      <ol className="rule-list">
        {rules.map((rule, index) => (
          <Rule key={rule.id} rule={rule} position={index + 1} />
        ))}
      </ol>
      {rules.length === 0 && (
        <Empty icon="rules" title="This version has no rules">
          Every decision is Allow.
        </Empty>
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

function Rule({ rule, position }: { rule: ShownRule; position: number }) {
  const { id, name, when, action, score, description, message, cases = [] } = rule
  return (
    <li id={id}>
      <span className="rule-position figures">{position}</span>
      <div>
        <p className="rule-head">
          <b>{name}</b>
          <ActionBadge action={action} />
        </p>
        {description && <p className="dim">{description}</p>}
        <Condition text={when} framed />
        <p className="rule-foot">
          <code>{id}</code>
          {score !== 0 && <span>Score {score}</span>}
          {cases.length > 0 && <span>{cases.length === 1 ? '1 case' : `${cases.length} cases`}</span>}
          {message && <span>“{message}”</span>}
        </p>
      </div>
    </li>
  )
}

const stageTones = { live: 'green', shadow: 'violet', draft: 'neutral' } as const

function Versions({ versions, shown }: RuleVersions & { shown: number | undefined }) {
  return (
    <Card title="Versions">
      <ul className="versions">
        {versions.map(({ version, stages, rules, createdAt }) => (
          <li key={version}>
            <Link to="/rules" search={{ version }} isCurrent={version === shown}>
              <span>
                <b>{versionName(version)}</b>
                {stages.map((stage) => (
                  <Badge key={stage} tone={stageTones[stage]}>
                    {stage}
                  </Badge>
                ))}
              </span>
              <span className="dim">
                {rules} rules{createdAt && ' · '}
                {createdAt && <Time at={createdAt} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
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
