// What waits for a person? The queue on the left, the decision on the right; one works through it by keyboard.

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { QueuedReview } from '../../api/types.ts'
import { usePages } from '../../api/use-call.ts'
import { Answer, More } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { operationName, points } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { texts } from '../../texts.ts'
import { Investigation } from '../decision/investigation.tsx'
import { DeadlineSetting } from './deadline-setting.tsx'
import {
  type ReviewFilter,
  type ReviewSearch,
  type ReviewState,
  reviewFilters,
  reviewSearch,
  reviewStates,
} from './filters.ts'
import { nameOf } from './review-card.tsx'
import './reviews.css'

export function ReviewsPage() {
  const navigate = useNavigate()
  const { state = 'open', filter = 'all', decisionId } = useSearch({ from: '/reviews' })
  const answer = usePages(
    'listReviews',
    { state, limit: 50, filter: state === 'open' && filter !== 'all' ? filter : undefined },
    (pages) => ({ reviews: pages.flatMap(({ reviews }) => reviews), dueHours: pages[0]?.dueHours }),
  )
  const { reviews = [], dueHours } = answer.data ?? {}
  const search = (wanted: { decisionId?: string | undefined }) =>
    reviewSearch({ state, filter, ...(wanted.decisionId !== undefined && { decisionId: wanted.decisionId }) })
  const index = reviews.findIndex((review) => review.decisionId === decisionId)
  const open = (next: number) => {
    const review = reviews[Math.max(0, Math.min(reviews.length - 1, next))]
    if (review) void navigate({ to: '/reviews', search: search(review), replace: true })
  }
  useShortcuts({ j: () => open(index + 1), k: () => open(index - 1) })
  /** The next one takes the place of the one that was just resolved. */
  const next = () => {
    const after = reviews[index + 1] ?? reviews[index - 1]
    void navigate({ to: '/reviews', search: search({ decisionId: after?.decisionId }), replace: true })
  }
  return (
    <>
      <PageHead title={texts.pages.reviews} under="Decisions that a rule sent to a person.">
        <div className="segments">
          {Object.entries(reviewStates).map(([each, name]) => (
            <Link
              key={each}
              to="/reviews"
              search={reviewSearch({ state: each as ReviewState })}
              isCurrent={each === state}
            >
              {name}
            </Link>
          ))}
        </div>
        {dueHours !== undefined && <DeadlineSetting dueHours={dueHours} />}
      </PageHead>
      {state === 'open' && (
        <nav className="queue-filters" aria-label="Filter">
          {Object.entries(reviewFilters).map(([each, name]) => (
            <Link
              key={each}
              to="/reviews"
              search={reviewSearch({ filter: each as ReviewFilter })}
              isCurrent={each === filter}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
      <Answer of={answer} lines={8}>
        {({ reviews }) =>
          reviews.length === 0 ? (
            <NoReviews state={state} filter={filter} />
          ) : (
            <div className="queue" data-open={decisionId !== undefined || undefined}>
              <ol className="queue-list" aria-label="Queue">
                {reviews.map((review) => (
                  <QueueItem
                    key={review.decisionId}
                    review={review}
                    search={search(review)}
                    isOpen={review.decisionId === decisionId}
                  />
                ))}
                {answer.hasNextPage && (
                  <li>
                    <More of={answer} className="queue-more" />
                  </li>
                )}
              </ol>
              <div className="queue-view">
                {decisionId === undefined ? (
                  <Empty icon="reviews" title="Choose a decision">
                    <kbd>j</kbd> opens the first one. <kbd>a</kbd> approves it, <kbd>b</kbd> blocks it, and the next one
                    opens. <kbd>i</kbd> takes it, <kbd>c</kbd> comments.
                  </Empty>
                ) : (
                  <>
                    <Link to="/reviews" search={search({})} className="queue-back">
                      Back to the queue
                    </Link>
                    <Investigation key={decisionId} decisionId={decisionId} onResolved={next} />
                  </>
                )}
              </div>
            </div>
          )
        }
      </Answer>
    </>
  )
}

interface QueueItemProps {
  review: QueuedReview
  search: ReviewSearch
  isOpen: boolean
}

function QueueItem({ review, search, isOpen }: QueueItemProps) {
  const { operation, userId, phoneNumber, score, verdict, createdAt, isOverdue, assignee, commentCount } = review
  return (
    <li>
      <Link to="/reviews" search={search} isCurrent={isOpen} replace>
        <span className="queue-line">
          <b>{userId ?? phoneNumber ?? 'Unknown user'}</b>
          <Badge tone={score >= 60 ? 'red' : score >= 30 ? 'amber' : 'neutral'}>{points(score)}</Badge>
        </span>
        <span className="queue-line dim">
          <span>
            {operationName(operation) ?? 'Decision'} {isOverdue && <Badge tone="red">Overdue</Badge>}
          </span>
          <Time at={createdAt} />
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

const noneOf = {
  mine: 'Nothing is assigned to you. Open a review, and press i to take it.',
  unassigned: 'Somebody works on each open review.',
  overdue: 'No open review is past its deadline.',
} as const

function NoReviews({ state, filter }: { state: ReviewState; filter: ReviewFilter }) {
  if (state !== 'open')
    return (
      <Empty icon="reviews" title={`Nothing ${state} yet`}>
        Resolved reviews are listed here.
      </Empty>
    )
  if (filter !== 'all')
    return (
      <Empty icon="check" title="None of these" action={<Link to="/reviews">Show all open reviews</Link>}>
        {noneOf[filter]}
      </Empty>
    )
  return (
    <Empty icon="check" title="No open reviews" action={<Link to="/rules">See the rules</Link>}>
      A rule with the action <code>REVIEW</code> lets a person decide. The decision waits here, and your backend
      receives an event when it is resolved.
    </Empty>
  )
}
