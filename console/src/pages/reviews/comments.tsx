// What do reviewers write to each other about a decision? Oldest first, and a field for the next one.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Form } from 'react-aria-components'
import { useMay, useSession } from '../../api/session.tsx'
import type { DiscussedReview } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Failed } from '../../parts/empty.tsx'
import { TextArea } from '../../parts/forms/text-area.tsx'
import { Time } from '../../parts/time.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { texts } from '../../texts.ts'

const longest = 1_000

export function Comments({ review: { decisionId, comments } }: { review: DiscussedReview }) {
  const mayComment = useMay()('reviews.resolve')
  return (
    <>
      {comments.length > 0 && (
        <ol className="comments" aria-label="Comments">
          {comments.map(({ by, isYours, at, comment }) => (
            <li key={`${at} ${by} ${comment}`}>
              <header>
                <b>{isYours ? texts.reviews.you : by}</b>
                <span className="dim">
                  <Time at={at} />
                </span>
              </header>
              <p>{comment}</p>
            </li>
          ))}
        </ol>
      )}
      {mayComment && <NewComment decisionId={decisionId} />}
    </>
  )
}

/** The text stays in the field until it is stored. */
function NewComment({ decisionId }: { decisionId: string }) {
  const { call } = useSession()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [comment, setComment] = useState('')
  const commenting = useMutation({
    mutationFn: () => call('commentReview', { decisionId, comment }),
    onSuccess: async (review) => {
      setComment('')
      queries.setQueryData(['readReview', { decisionId }], review)
      await queries.invalidateQueries({ queryKey: ['listReviews'] })
    },
  })
  useShortcuts({ c: () => form.current?.querySelector('textarea')?.focus() })
  const isEmpty = comment.trim() === ''
  const send = () => !isEmpty && !commenting.isPending && commenting.mutate()
  return (
    <Form
      ref={form}
      className="new-comment"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label={texts.reviews.comment}
        value={comment}
        onChange={setComment}
        maxLength={longest}
        rows={2}
        placeholder={texts.reviews.commentHint}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          if (event.key === 'Escape') (event.target as HTMLElement).blur()
        }}
      />
      <Button type="submit" isDisabled={isEmpty || commenting.isPending}>
        {texts.reviews.comment} <kbd>c</kbd>
      </Button>
      {commenting.error && <Failed error={commenting.error} />}
    </Form>
  )
}
