// What becomes of an edit? A draft, which may run in shadow or over the past at once.

import { useNavigate } from '@tanstack/react-router'
import { problemName } from '../../../api/problem.ts'
import { useChange } from '../../../api/use-call.ts'
import { rulesReads } from '../version-actions.tsx'
import { useCopyKey } from './draft-copy.tsx'
import type { Draft } from './use-draft.ts'

interface Work {
  /** What follows the save. */
  readonly next?: 'shadow' | 'test'
  /** The version in shadow, which ends. */
  readonly ends?: number
  /** Instead of the name in the bar. */
  readonly name?: string
}

export interface Saving {
  readonly error: Error | null
  readonly isPending: boolean
  /** The draft was saved by somebody else since it was read. */
  readonly isConflict: boolean
  start(work: Work): void
  reset(): void
}

export function useSaving(draft: Draft, name: string): Saving {
  const navigate = useNavigate()
  const copy = useCopyKey()
  const saving = useChange(
    async (call, { next, ends, name: other }: Work) => {
      const { text = '', basedOn, isChanged } = draft
      let version = basedOn
      if (isChanged || next === undefined) {
        version = (await call('saveRuleDraft', { text, basedOn, name: other ?? name })).version
        localStorage.removeItem(copy)
        draft.saved(version)
      }
      if (next === 'shadow') await call('startRuleShadow', { version, ...(ends !== undefined && { ends }) })
      const test = next === 'test' ? await call('startBacktest', { version }) : undefined
      return { version, backtestId: test?.backtestId }
    },
    {
      reads: rulesReads,
      readsAlways: true,
      onDone({ version, backtestId }) {
        if (backtestId === undefined) void navigate({ to: '/rules', search: { version }, ignoreBlocker: true })
        else void navigate({ to: '/rules/backtest', search: { id: backtestId }, ignoreBlocker: true })
      },
    },
  )
  const { error, isPending, reset } = saving
  // A refused shadow comes after the save, when nothing is left to be saved.
  const isConflict = problemName(error) === 'rules-changed-meanwhile' && draft.isChanged
  return { error, isPending, isConflict, start: (work) => saving.mutate(work), reset }
}
