// What has a reviewer written and not sent yet? It is kept for each decision until it is sent, also while another page is open.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../api/session.tsx'

export interface UnsentComment {
  readonly text: string
  write(text: string): void
  /** Resolves when it is stored, and at once when there is none. A failure leaves it as it is. */
  send(): Promise<unknown>
  readonly isEmpty: boolean
  readonly isSending: boolean
  readonly error: Error | null
}

const kind = 'unsentComment'

export function useComment(decisionId: string): UnsentComment {
  const { call } = useSession()
  const queries = useQueryClient()
  // Forgotten with everything else when the person signs out.
  const kept = queries.getQueryData<string>([kind, decisionId])
  const [text, setText] = useState(kept ?? '')
  const write = (written: string) => {
    setText(written)
    queries.setQueryDefaults([kind], { gcTime: Number.POSITIVE_INFINITY })
    queries.setQueryData([kind, decisionId], written)
  }
  const commenting = useMutation({
    mutationFn: (comment: string) => call('commentReview', { decisionId, comment }),
    onSuccess: async (review, comment) => {
      // What was typed meanwhile stays.
      if (queries.getQueryData([kind, decisionId]) === comment) write('')
      queries.setQueryData(['readReview', { decisionId }], review)
      await queries.invalidateQueries({ queryKey: ['listReviews'] })
    },
  })
  const isEmpty = text.trim() === ''
  return {
    ...{ text, write, isEmpty },
    send: async () => !isEmpty && (await commenting.mutateAsync(text)),
    isSending: commenting.isPending,
    error: commenting.error,
  }
}
