// How is a review resolved? Approved or blocked, with a note that others can read later.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useSession } from '../../api/session.tsx'
import { useReadAgain } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { texts } from '../../texts.ts'
import type { UnsentComment } from './use-comment.ts'
import './review-card.css'

interface ResolveProps {
  decisionId: string
  /** Another person who works on it: it has to be taken over first. */
  heldBy?: string | undefined
  /** Is sent with the decision. */
  unsent: UnsentComment
  onResolved?: () => void
}

export function Resolve({ decisionId, heldBy, unsent, onResolved }: ResolveProps) {
  const { call } = useSession()
  const may = useMay()
  const [note, setNote] = useState('')
  const readAgain = useReadAgain(['listReviews', 'readReview', 'readDecision'])
  const resolving = useMutation({
    mutationFn: async (outcome: 'approved' | 'blocked') => {
      // First: what the person wrote is a reason of the decision, and nobody looks for it in a closed review.
      await unsent.send()
      return call('resolveReview', { decisionId, outcome, note: note || undefined })
    },
    onSuccess: async () => {
      await readAgain()
      onResolved?.()
    },
    // Somebody else was faster: the page shows who.
    onError: readAgain,
  })
  const mayResolve = may('reviews.resolve')
  const isReady = mayResolve && heldBy === undefined && !resolving.isPending
  const resolve = (outcome: 'approved' | 'blocked') => isReady && resolving.mutate(outcome)
  useShortcuts({ a: () => resolve('approved'), b: () => resolve('blocked') })
  if (!mayResolve) return null
  if (heldBy !== undefined)
    return (
      <p className="resolve dim">
        {heldBy} {texts.reviews.held}
      </p>
    )
  return (
    <div className="resolve">
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
      </div>
      {resolving.error && resolving.error !== unsent.error && <CallError error={resolving.error} />}
    </div>
  )
}
