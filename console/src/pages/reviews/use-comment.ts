// What has a reviewer written and not sent yet? It is kept for each decision until it is sent, also while another page is open.

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { useAct } from '../../api/use-call.ts'

export interface UnsentComment {
  readonly text: string
  write(text: string): void
  /** Resolves when all of it is stored, and at once when there is none. A failure leaves it as it is. */
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
  const commenting = useAct({
    mutationFn: (comment: string) => call('commentReview', { decisionId, comment }),
    onSuccess: async (review, comment) => {
      // What was typed meanwhile stays.
      if (queries.getQueryData([kind, decisionId]) === comment) write('')
      queries.setQueryData(['readReview', { decisionId }], review)
      await queries.invalidateQueries({ queryKey: ['listReviews'] })
    },
  })
  const onItsWay = useRef<Promise<unknown>>(undefined)
  const send = async () => {
    await onItsWay.current
    // Not the text of this render: more may have been typed while the first part was on its way.
    const unsent = queries.getQueryData<string>([kind, decisionId]) ?? ''
    if (unsent.trim() === '') return
    onItsWay.current = commenting.mutateAsync(unsent).finally(() => (onItsWay.current = undefined))
    await onItsWay.current
  }
  return {
    ...{ text, write, send },
    isEmpty: text.trim() === '',
    isSending: commenting.isPending,
    error: commenting.error,
  }
}
