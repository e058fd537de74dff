// Why was it decided so? One decision: its score, its reasons with their evidence, its rules, and what followed.

import type { ReactNode } from 'react'
import { useMay } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { toneOfDecision } from '../../parts/actions.ts'
import { Card } from '../../parts/card.tsx'
import { checkName } from '../../parts/check-name.ts'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { operationName, shortId } from '../../parts/format.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { exactTime, Time } from '../../parts/time.tsx'
import { ReviewCard } from '../reviews/review-card.tsx'
import { useReveal } from '../subject/reveal.tsx'
import { DecisionActions } from './actions.tsx'
import { Evidence, UserLink } from './evidence.tsx'
import { OutcomeCard } from './outcome-card.tsx'
import { RulesCard } from './rules-card.tsx'
import { ScoreCard } from './score-card.tsx'
import { SubjectCard } from './subject-card.tsx'
import './decision.css'

const titles = {
  ALLOW: 'Allowed',
  WARN: 'Allowed with a warning',
  REVIEW: 'Sent to review',
  CHALLENGE: 'Challenged',
  BLOCK: 'Blocked',
} as const

interface InvestigationProps {
  decisionId: string
  onResolved?: () => void
}

export function Investigation({ decisionId, onResolved }: InvestigationProps) {
  const { data, error, refetch } = useRead('readDecision', { decisionId })
  const { record, control } = useReveal<InvestigatedDecision>({ kind: 'decision', id: decisionId })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={9} />
  return <DecisionView decision={record ?? data} reveal={control} {...(onResolved && { onResolved })} />
}

interface DecisionViewProps {
  decision: InvestigatedDecision
  reveal: ReactNode
  onResolved?: () => void
}

function DecisionView({ decision, reveal, onResolved }: DecisionViewProps) {
  const { decisionId, action, createdAt, subject, missing, review, rules } = decision
  const mayReview = useMay()('reviews.read')
  const { operation, userId } = subject
  return (
    <>
      <PageHead
        over="Decision"
        title={titles[action]}
        tone={toneOfDecision(action, missing.length === 0 && rules.decisive === undefined)}
        under={
          <>
            {operation !== undefined && <span>{operationName(operation)}</span>}
            {userId !== undefined && (
              <span>
                <UserLink userId={userId} />
              </span>
            )}
            <span title={exactTime(createdAt)}>
              <Time at={createdAt} />
            </span>
            <Copy value={decisionId}>{shortId(decisionId)}</Copy>
          </>
        }
      >
        {reveal}
        <DecisionActions decision={decision} />
      </PageHead>
      <div className="decision">
        <div className="decision-main">
          <ScoreCard decision={decision} />
          <Evidence decision={decision} />
        </div>
        <div className="decision-side">
          {review?.state === 'open' && mayReview && (
            <ReviewCard key={decisionId} decisionId={decisionId} {...(onResolved && { onResolved })} />
          )}
          <OutcomeCard decision={decision} />
          {review && review.state !== 'open' && mayReview && <ReviewCard key={decisionId} decisionId={decisionId} />}
          <SubjectCard decision={decision} />
          <RulesCard decision={decision} />
          {missing.length > 0 && <MissingCard missing={missing} />}
          <Card title="Raw" aside={<Copy value={JSON.stringify(decision, null, 2)}>JSON</Copy>}>
            <details className="raw">
              <summary>Show the answer of the API</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it needs the keyboard */}
              <pre tabIndex={0}>{JSON.stringify(decision, null, 2)}</pre>
            </details>
          </Card>
        </div>
      </div>
    </>
  )
}

const partNames: Readonly<Record<string, string>> = { login: 'Sign-in', device: 'Device', phone: 'Phone number' }

const whatIsMissing = ({ what, path }: InvestigatedDecision['missing'][number]) =>
  path ?? partNames[what] ?? `${checkName(what)} check`

function MissingCard({ missing }: { missing: InvestigatedDecision['missing'] }) {
  return (
    <Card title="Missing">
      <ul id="missing" className="missing">
        {missing.map((each) => (
          <li key={whatIsMissing(each)}>
            <b>{whatIsMissing(each)}</b>
            <span className="dim">{meanings[each.why]}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const meanings: Readonly<Record<InvestigatedDecision['missing'][number]['why'], string>> = {
  'not-given': 'Your backend did not send it.',
  unknown: 'The page sent an id that this service never issued.',
  expired: 'What the page sent is too old.',
  incomplete: 'The report lacks facts that its platform always sends.',
  unattested: 'Nothing proves that the report is of a phone.',
  reused: 'Too many sessions used the report.',
  'other-user': 'What the page sent belongs to another user.',
  'other-number': 'What the page sent belongs to another phone number.',
  'no-sign-in': 'The token is not from a sign-in.',
  'not-linked': 'The sign-in is not linked to your user.',
  deadline: 'It did not arrive within the deadline.',
  failed: 'It could not be read.',
  'no-number': 'The decision has no phone number.',
  'operator-unknown': 'No source says which operator serves the number.',
  unsupported: 'The operator does not offer this check.',
  'window-unsupported': 'The operator does not know what happened that long ago.',
  'operator-timeout': 'The operator did not answer in time.',
  'operator-failed': 'The operator failed.',
  'not-a-number': 'A rule compares it with a number, and it is not one.',
}
