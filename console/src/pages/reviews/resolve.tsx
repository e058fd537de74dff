// How is a review resolved? Approved or blocked, or by a challenge of the user, with a note that others can read later.

import { useState } from 'react'
import type { Call } from '../../api/call.ts'
import { useMay, useSession } from '../../api/session.tsx'
import { useAct, useReadAgain } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { texts } from '../../texts.ts'
import { useCaseKeys } from './desk-keys.ts'
import type { UnsentComment } from './use-comment.ts'
import './desk.css'
import './review-card.css'

export type Outcome = 'approved' | 'blocked' | 'challenge'

/** What a reviewer has decided. */
export interface Act {
  readonly decisionId: string
  readonly outcome: Outcome
  readonly note: string
}

export const sendAct = (call: Call, { decisionId, outcome, note }: Act, options: { outlivesPage?: boolean } = {}) =>
  outcome === 'challenge'
    ? call('askForChallenge', { decisionId, note: note || undefined }, options)
    : call('resolveReview', { decisionId, outcome, note: note || undefined }, options)

/** On the desk a decision can be undone for some seconds before it is sent. */
export type Decide = (made: { outcome: Outcome; note: string; sendComment: () => Promise<unknown> }) => void

interface ResolveProps {
  decisionId: string
  /** Somebody asked for a challenge before: that is done once. */
  isAsked: boolean
  /** Another person who works on it: it has to be taken over first. */
  heldBy?: string | undefined
  /** Is sent with the decision. */
  unsent: UnsentComment
  /** Absent: it is sent at once. */
  onDecide?: Decide | undefined
}

export function Resolve({ decisionId, isAsked, heldBy, unsent, onDecide }: ResolveProps) {
  const { call } = useSession()
  const may = useMay()
  const [note, setNote] = useState('')
  const readAgain = useReadAgain(['listReviews', 'readReview', 'readDecision'])
  const resolving = useAct({
    mutationFn: async (outcome: Outcome) => {
      // First: what the person wrote is a reason of the decision, and nobody looks for it in a closed review.
      await unsent.send()
      return sendAct(call, { decisionId, outcome, note })
    },
    onSuccess: readAgain,
    // Somebody else was faster: the page shows who.
    onError: readAgain,
  })
  const mayResolve = may('reviews.resolve')
  const isReady = mayResolve && heldBy === undefined && !resolving.isPending
  const resolve = (outcome: Outcome) => {
    if (!isReady || (outcome === 'challenge' && isAsked)) return
    if (onDecide) onDecide({ outcome, note, sendComment: unsent.send })
    else resolving.mutate(outcome)
  }
  const choose = (reason: string) => setNote((before) => (before === reason ? '' : reason))
  const reasonKeys = texts.reviews.reasons.map((reason, index) => [String(index + 1), () => choose(reason)] as const)
  useCaseKeys({
    a: () => resolve('approved'),
    b: () => resolve('blocked'),
    h: () => resolve('challenge'),
    ...Object.fromEntries(reasonKeys),
  })
  if (!mayResolve) return null
  if (heldBy !== undefined)
    return (
      <p className="resolve dim">
        {heldBy} {texts.reviews.held}
      </p>
    )
  return (
    <div className="resolve">
      <fieldset className="chips" aria-label="Reason">
        {texts.reviews.reasons.map((reason, index) => (
          <Button key={reason} aria-pressed={note === reason} onPress={() => choose(reason)}>
            {reason} <kbd>{index + 1}</kbd>
          </Button>
        ))}
      </fieldset>
      <TextField
        label="Note"
        value={note}
        onChange={setNote}
        maxLength={500}
        placeholder="Why, for whoever reads it later"
      />
      <div className="resolve-buttons">
        <Button onPress={() => resolve('approved')} isDisabled={!isReady}>
          Approve <kbd>a</kbd>
        </Button>
        <Button kind="danger" onPress={() => resolve('blocked')} isDisabled={!isReady}>
          Block <kbd>b</kbd>
        </Button>
        {!isAsked && (
          <Button kind="quiet" onPress={() => resolve('challenge')} isDisabled={!isReady}>
            {texts.reviews.challenge} <kbd>h</kbd>
          </Button>
        )}
      </div>
      {resolving.error && resolving.error !== unsent.error && <CallError error={resolving.error} />}
    </div>
  )
}
