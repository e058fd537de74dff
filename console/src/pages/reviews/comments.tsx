// What do reviewers write to each other about a decision? Oldest first, and a field for the next one.

import { useRef } from 'react'
import { useMay } from '../../api/session.tsx'
import type { DiscussedReview } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { TextArea } from '../../parts/forms/text-area.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { useCaseKeys } from './desk-keys.ts'
import type { UnsentComment } from './use-comment.ts'
import './review-card.css'

const longest = 1_000

interface CommentsProps {
  review: DiscussedReview
  unsent: UnsentComment
}

export function Comments({ review: { comments, state }, unsent }: CommentsProps) {
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
      {mayComment && <NewComment unsent={unsent} isOpen={state === 'open'} />}
    </>
  )
}

/** The text stays in the field until it is stored. */
function NewComment({ unsent, isOpen }: { unsent: UnsentComment; isOpen: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  const { text, write, isEmpty, isSending, error } = unsent
  useCaseKeys({ c: () => form.current?.querySelector('textarea')?.focus() })
  // The form shows the failure.
  const send = () => void (isSending || unsent.send().catch(() => undefined))
  return (
    <SubmitForm ref={form} className="new-comment" onSubmit={send}>
      <TextArea
        label={texts.reviews.comment}
        value={text}
        onChange={write}
        maxLength={longest}
        rows={2}
        placeholder={texts.reviews.commentHint}
        {...(isOpen && !isEmpty && { description: texts.reviews.commentSent })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          if (event.key === 'Escape') (event.target as HTMLElement).blur()
        }}
      />
      <Button type="submit" isDisabled={isEmpty || isSending}>
        {texts.reviews.comment} <kbd>c</kbd>
      </Button>
      {error && <CallError error={error} />}
    </SubmitForm>
  )
}
