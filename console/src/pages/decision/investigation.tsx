// Why was it decided so? One decision: its score, its reasons with their evidence, its rules, and what followed.

import type { ReactNode } from 'react'
import { useMay } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { toneOfDecision } from '../../parts/actions.ts'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { country, operationName, shortId } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { amountIn } from '../reviews/order.ts'
import type { Decide } from '../reviews/resolve.tsx'
import { ReviewCard } from '../reviews/review-card.tsx'
import { useReveal } from '../subject/reveal.tsx'
import { DecisionActions } from './actions.tsx'
import { Evidence, UserLink } from './evidence.tsx'
import { LikeThis } from './like-this.tsx'
import { OutcomeCard } from './outcome-card.tsx'
import { Parties } from './parties.tsx'
import { RulesCard } from './rules-card.tsx'
import { ScoreCard } from './score-card.tsx'
import { sentencesOf } from './sentences.ts'
import { SubjectCard } from './subject-card.tsx'
import { Unknown } from './unknown.tsx'
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
  /** Of the desk: it sends what was decided. */
  onDecide?: Decide | undefined
}

export function Investigation({ decisionId, onDecide }: InvestigationProps) {
  const { data, error, refetch } = useRead('readDecision', { decisionId })
  const { record, control } = useReveal<InvestigatedDecision>({ kind: 'decision', id: decisionId })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={9} />
  return <DecisionView decision={record ?? data} reveal={control} onDecide={onDecide} />
}

const joined = (separator: string, ...parts: (string | undefined)[]) => parts.filter(Boolean).join(separator)

interface DecisionViewProps {
  decision: InvestigatedDecision
  reveal: ReactNode
  onDecide?: Decide | undefined
}

function DecisionView({ decision, reveal, onDecide }: DecisionViewProps) {
  const { decisionId, action, verdict, createdAt, subject, device, missing, review, rules } = decision
  const mayReview = useMay()('reviews.read')
  const { operation, userId } = subject
  const { headline, rest } = sentencesOf(verdict)
  const { deviceMeta, ipDetails } = device ?? {}
  const model = joined(' ', deviceMeta?.brand, deviceMeta?.model)
  const place = joined(', ', ipDetails?.city, country(ipDetails?.country))
  return (
    <>
      <PageHead
        over="Decision"
        title={titles[action]}
        headline={headline}
        tone={toneOfDecision(action, missing.length === 0 && rules.decisive === undefined)}
        under={
          <>
            {rest !== '' && <p className="verdict-rest">{rest}</p>}
            {operation !== undefined && (
              <span>
                {operationName(operation)} <b className="figures">{amountIn(subject.params)}</b>
              </span>
            )}
            {userId !== undefined && (
              <span>
                <UserLink userId={userId} />
              </span>
            )}
            {model !== '' && <span>{model}</span>}
            {place !== '' && <span>{place}</span>}
            <Time at={createdAt} />
            <Copy value={decisionId}>{shortId(decisionId)}</Copy>
          </>
        }
      >
        {reveal}
        <DecisionActions decision={decision} />
      </PageHead>
      <Unknown decision={decision} />
      <div className="decision">
        <div className="decision-main">
          <RulesCard decision={decision} />
          <ScoreCard decision={decision} />
        </div>
        <div className="decision-side">
          {review?.state === 'open' && mayReview && (
            <ReviewCard key={decisionId} decisionId={decisionId} onDecide={onDecide} />
          )}
          <OutcomeCard decision={decision} />
          {review && review.state !== 'open' && mayReview && <ReviewCard key={decisionId} decisionId={decisionId} />}
          <Parties decision={decision} />
          <LikeThis decision={decision} />
        </div>
        <div className="decision-rest">
          <Evidence decision={decision} />
          <div className="evidence-part">
            <SubjectCard decision={decision} />
          </div>
          <div className="evidence-part">
            <Card title="Raw" aside={<Copy value={JSON.stringify(decision, null, 2)}>Copy JSON</Copy>}>
              <details className="raw">
                <summary>Show the answer of the API</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it needs the keyboard */}
                <pre tabIndex={0}>{JSON.stringify(decision, null, 2)}</pre>
              </details>
            </Card>
          </div>
        </div>
      </div>
    </>
  )
}
