// Who works on a review, until when, and what did reviewers write? Here one takes it, discusses it and decides.

import { MenuTrigger } from 'react-aria-components'
import { problemName } from '../../api/problem.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { DiscussedReview } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { durationText } from '../../parts/values/duration.ts'
import { exactTime, Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { Comments } from './comments.tsx'
import { useCaseKeys } from './desk-keys.ts'
import { type Decide, Resolve } from './resolve.tsx'
import { useComment } from './use-comment.ts'
import './review-card.css'

interface ReviewCardProps {
  decisionId: string
  onDecide?: Decide | undefined
}

export function ReviewCard({ decisionId, onDecide }: ReviewCardProps) {
  const mayResolve = useMay()('reviews.resolve')
  const { data, error, refetch } = useRead('readReview', { decisionId })
  const unsent = useComment(decisionId)
  if (!data)
    return (
      <Card title="Review">
        {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading lines={3} />}
      </Card>
    )
  const { state, dueAt, isOverdue, assignee, challenge } = data
  const isOpen = state === 'open'
  const heldBy = assignee && !assignee.isYou ? nameOf(assignee) : undefined
  return (
    <Card title="Review" {...(isOpen && { aside: <Deadline dueAt={dueAt} isOverdue={isOverdue} /> })}>
      {challenge && <Challenge of={challenge} />}
      {isOpen && <Assignment review={data} />}
      {isOpen && mayResolve && (
        <Resolve
          decisionId={decisionId}
          isAsked={challenge !== undefined}
          heldBy={heldBy}
          unsent={unsent}
          onDecide={onDecide}
        />
      )}
      <Comments review={data} unsent={unsent} />
    </Card>
  )
}

/** How late it is. */
export const Late = ({ dueAt }: { dueAt: string }) => (
  <Badge tone="red">{texts.reviews.overdue(durationText(Math.max(60, (Date.now() - Date.parse(dueAt)) / 1000)))}</Badge>
)

function Deadline({ dueAt, isOverdue }: { dueAt: string; isOverdue: boolean }) {
  return (
    <span title={exactTime(dueAt)}>
      {isOverdue ? (
        <Late dueAt={dueAt} />
      ) : (
        <span className="dim">
          Due <Time at={dueAt} />
        </span>
      )}
    </span>
  )
}

function Challenge({ of: { state, by, note, askedAt, expiresAt } }: { of: NonNullable<DiscussedReview['challenge']> }) {
  return (
    <Facts
      facts={[
        {
          name: 'Challenge',
          value: (
            <>
              <ChallengeState of={state} /> <bdi>{by}</bdi> asked <Time at={askedAt} />
              {state === 'open' && (
                <>
                  {', until '}
                  <Time at={expiresAt} />
                </>
              )}
              {note !== undefined && (
                <span className="dim" dir="auto">
                  {' '}
                  {note}
                </span>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

export function ChallengeState({ of }: { of: NonNullable<DiscussedReview['challenge']>['state'] }) {
  const tone = of === 'passed' ? 'green' : of === 'open' ? 'neutral' : 'red'
  return <Badge tone={tone}>{texts.reviews.challenges[of]}</Badge>
}

type Assignee = NonNullable<DiscussedReview['assignee']>
export const nameOf = ({ isYou, name }: Assignee): string => (isYou ? texts.reviews.you : (name ?? texts.reviews.left))

function Assignment({ review: { decisionId, assignee, ruleName } }: { review: DiscussedReview }) {
  const { me } = useSession()
  const mayResolve = useMay()('reviews.resolve')
  const { data } = useRead('listReviewers', {}, { enabled: mayResolve, staleTime: 60_000 })
  // Somebody else was faster: the card shows who.
  const assigning = useChange(
    (call, personId: string | undefined) =>
      call('assignReview', { decisionId, personId, insteadOf: assignee?.personId }),
    { reads: ['readReview', 'listReviews'], readsAlways: true },
  )
  const own = me?.person?.personId
  const take = () => own !== undefined && !assignee?.isYou && !assigning.isPending && assigning.mutate(own)
  useCaseKeys(mayResolve ? { i: take } : {})
  const others = (data?.reviewers ?? []).filter(({ isYou, personId }) => !isYou && personId !== assignee?.personId)
  const words = texts.reviews
  return (
    <>
      <Facts
        facts={[
          ruleName === undefined ? undefined : { name: 'Sent by', value: ruleName },
          {
            name: 'Assigned to',
            value: assignee ? (
              <>
                {nameOf(assignee)}{' '}
                <span className="dim">
                  <Time at={assignee.since} />
                </span>
              </>
            ) : (
              <span className="dim">{words.nobody}</span>
            ),
          },
        ]}
      />
      {mayResolve && (
        <div className="assign">
          {own !== undefined &&
            (assignee?.isYou ? (
              <Button isDisabled={assigning.isPending} onPress={() => assigning.mutate(undefined)}>
                {words.release}
              </Button>
            ) : (
              <Button isDisabled={assigning.isPending} onPress={take}>
                {assignee ? words.takeOver : words.take} <kbd>i</kbd>
              </Button>
            ))}
          {others.length > 0 && (
            <MenuTrigger>
              <Button kind="quiet" isDisabled={assigning.isPending}>
                {words.assignTo}
                <Icon name="down" size={14} />
              </Button>
              <Menu aria-label={words.assignTo} onAction={(key) => assigning.mutate(String(key))}>
                {others.map(({ personId, name }) => (
                  <Item key={personId} id={personId}>
                    {name}
                  </Item>
                ))}
              </Menu>
            </MenuTrigger>
          )}
        </div>
      )}
      {assigning.error &&
        (problemName(assigning.error) === 'review-assigned' ? (
          <p className="assign-lost" role="alert">
            Somebody was faster. Nothing has changed: see above who works on it now.
          </p>
        ) : (
          <CallError error={assigning.error} />
        ))}
    </>
  )
}
