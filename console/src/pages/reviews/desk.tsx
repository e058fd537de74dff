// What does a reviewer see? Rows with what is at stake, by which rule, how risky and how old; beside them the case.

import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { QueuedReview } from '../../api/types.ts'
import { More } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { operationName, points } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { Investigation } from '../decision/investigation.tsx'
import { CaseKeysProvider } from './desk-keys.ts'
import { type ReviewSearch, reviewSearch } from './filters.ts'
import { amountOf, numericParams, rulesOf } from './order.ts'
import { ChallengeState, Late, nameOf } from './review-card.tsx'
import type { DeskState } from './use-desk.ts'
import './desk.css'
import './reviews.css'

interface DeskProps {
  of: DeskState
  pages: ComponentProps<typeof More>['of']
  /** Beside the choices. */
  filters: ReactNode
  /** In place of an empty queue. */
  none: ReactNode
}

export function Desk({ of: { reviews, found, search, decide, registered }, pages, filters, none }: DeskProps) {
  const { decisionId } = search
  const { decisionId: _, ...queue } = search
  return (
    <>
      <div className="desk-bar">
        {filters}
        {found.length > 0 && <Choices of={search} found={found} />}
      </div>
      {reviews.length === 0 && decisionId === undefined ? (
        none
      ) : (
        <div className="queue" data-open={decisionId !== undefined || undefined}>
          <ol className="queue-list" aria-label="Queue">
            {reviews.map((review) => (
              <Row key={review.decisionId} review={review} search={search} />
            ))}
            {pages.hasNextPage && (
              <li>
                <More of={pages} className="queue-more" />
              </li>
            )}
          </ol>
          <div className="queue-view">
            {decisionId === undefined ? (
              <Empty icon="reviews" title="Choose a decision">
                <kbd>j</kbd> opens the first one. <kbd>a</kbd> approves it, <kbd>b</kbd> blocks it, <kbd>h</kbd> asks
                for a challenge, and the next one opens. <kbd>u</kbd> undoes it. <kbd>i</kbd> takes it, <kbd>c</kbd>{' '}
                comments.
              </Empty>
            ) : (
              <>
                <Link to="/reviews" search={reviewSearch(queue)} className="queue-back">
                  Back to the queue
                </Link>
                <CaseKeysProvider value={registered}>
                  <Investigation key={decisionId} decisionId={decisionId} onDecide={decide} />
                </CaseKeysProvider>
              </>
            )}
          </div>
        </div>
      )}
    </>
  )
}

const everyRule = ''

/** Of the rows that were read: the service sorts by age. */
function Choices({ of: search, found }: { of: ReviewSearch; found: readonly QueuedReview[] }) {
  const navigate = useNavigate()
  const words = texts.reviews
  const orders: Record<string, string> = { age: words.oldest, risk: words.riskiest }
  for (const name of numericParams(found)) orders[`params.${name}`] = words.largest(name)
  const rules = Object.fromEntries([[everyRule, words.everyRule], ...rulesOf(found).map((name) => [name, name])])
  const choose = (chosen: Partial<ReviewSearch>) =>
    void navigate({ to: '/reviews', search: reviewSearch({ ...search, ...chosen }), replace: true })
  return (
    <div className="desk-choices">
      <Select
        label={words.rule}
        bare
        options={rules}
        value={search.rule ?? everyRule}
        onChange={(rule) => {
          const { rule: _, ...others } = search
          void navigate({
            to: '/reviews',
            search: reviewSearch(rule === everyRule ? others : { ...others, rule }),
            replace: true,
          })
        }}
      />
      <Select
        label={words.order}
        bare
        options={orders}
        value={search.order ?? 'age'}
        onChange={(order) => choose({ order })}
      />
    </div>
  )
}

function Row({ review, search }: { review: QueuedReview; search: ReviewSearch }) {
  const { decisionId, operation, userId, phoneNumber, score, verdict, createdAt, isOverdue } = review
  const { assignee, commentCount, challenge, dueAt } = review
  const amount = amountOf(review, search.order ?? 'age')
  return (
    <li>
      <Link
        to="/reviews"
        search={reviewSearch({ ...search, decisionId })}
        isCurrent={decisionId === search.decisionId}
        replace
      >
        <span className="queue-line">
          <b dir="auto">{userId ?? phoneNumber ?? 'Unknown user'}</b>
          <Badge tone={score >= 60 ? 'red' : score >= 30 ? 'amber' : 'neutral'}>{points(score)}</Badge>
        </span>
        <span className="queue-line">
          <span className="figures queue-amount">{amount ?? operationName(operation) ?? 'Decision'}</span>
          <span className="dim">
            {challenge && <ChallengeState of={challenge.state} />} {isOverdue && <Late dueAt={dueAt} />}{' '}
            <Time at={createdAt} />
          </span>
        </span>
        <span className="queue-verdict">{verdict}</span>
        {(assignee || commentCount > 0) && (
          <span className="queue-line dim">
            <span className="queue-assignee">{assignee && nameOf(assignee)}</span>
            {commentCount > 0 && (
              <span className="figures">{commentCount === 1 ? '1 comment' : `${commentCount} comments`}</span>
            )}
          </span>
        )}
      </Link>
    </li>
  )
}
