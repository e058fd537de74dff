// What waits for a person? The queue on the left, the case on the right; one works through it by keyboard.

import { useSearch } from '@tanstack/react-router'
import { usePages } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { texts } from '../../texts.ts'
import { DeadlineSetting } from './deadline-setting.tsx'
import { Desk } from './desk.tsx'
import {
  type ReviewFilter,
  type ReviewSearch,
  type ReviewState,
  reviewFilters,
  reviewSearch,
  reviewStates,
} from './filters.ts'
import { Today } from './today.tsx'
import { UndoBar } from './undo-bar.tsx'
import { useDesk } from './use-desk.ts'
import './reviews.css'

export function ReviewsPage() {
  const found = useSearch({ from: '/reviews' })
  const { state = 'open', filter = 'all' } = found
  const answer = usePages(
    'listReviews',
    { state, limit: 100, filter: state === 'open' && filter !== 'all' ? filter : undefined },
    (pages) => ({ reviews: pages.flatMap(({ reviews }) => reviews), dueHours: pages[0]?.dueHours }),
  )
  const { dueHours } = answer.data ?? {}
  const desk = useDesk(answer.data?.reviews, found)
  return (
    <>
      <PageHead
        title={texts.pages.reviews}
        under={
          <>
            <span>Decisions that a rule sent to a person.</span>
            <Today />
          </>
        }
      >
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
      <Answer of={answer} lines={8}>
        {() => <Desk of={desk} pages={answer} filters={<Filters of={found} />} none={<NoReviews of={found} />} />}
      </Answer>
      <UndoBar of={desk.held} onUndo={desk.undo} />
    </>
  )
}

function Filters({ of: { state = 'open', filter = 'all' } }: { of: ReviewSearch }) {
  if (state !== 'open') return <span />
  return (
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
  )
}

const noneOf = {
  mine: 'Nothing is assigned to you. Open a review, and press i to take it.',
  unassigned: 'Somebody works on each open review.',
  overdue: 'No open review is past its deadline.',
  waiting: 'No open review waits for a challenge that a reviewer asked for.',
} as const

function NoReviews({ of: { state = 'open', filter = 'all', rule } }: { of: ReviewSearch }) {
  if (rule !== undefined)
    return (
      <Empty icon="check" title="None of this rule" action={<Link to="/reviews">Show all open reviews</Link>}>
        No loaded review was sent by this rule.
      </Empty>
    )
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
