// How do form and text stay the same? The service reads what was changed last, and answers with both.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RequestOf } from '../../../api/call.ts'
import { reading, useSession } from '../../../api/session.tsx'
import type { CheckedRules } from '../../../api/types.ts'
import { groupOf, isUnfinished } from './conditions.ts'
import type { FormRule } from './rule-form.tsx'
import type { Velocities } from './velocity-form.tsx'

type ToCheck = RequestOf<'checkRules'>

const pauseMs = 400

export interface Draft {
  /** Undefined until the base was read. */
  readonly text: string | undefined
  readonly rules: readonly FormRule[]
  readonly velocities: Velocities
  readonly checked: CheckedRules | undefined
  /** Why the form may not change the rules now: it would overwrite what it does not show. */
  readonly formWaits: 'checking' | 'mistakes' | 'comments' | undefined
  readonly isChecking: boolean
  /** A rule of the form compares nothing yet: the text follows when it does. */
  readonly isUnfinished: boolean
  readonly isChanged: boolean
  readonly error: Error | null
  /** The newest version when the page was opened, or when a conflict was looked at. */
  readonly basedOn: number
  rebase(newest: number): void
  type(text: string): void
  /** What is left out stays as it is. */
  fill(made: { rules?: readonly FormRule[]; velocities?: Velocities }): void
  /** From now on the form may remove the comments of the text. */
  dropComments(): void
}

/** @param base the version to begin with; by default the draft, else the live one */
export function useDraft(base: number | undefined): Draft {
  const { call } = useSession()
  const versions = useQuery({ ...reading(call, 'listRuleVersions', {}), staleTime: Number.POSITIVE_INFINITY })
  const inStage = (stage: 'draft' | 'live') =>
    versions.data?.versions.find(({ stages }) => stages.includes(stage))?.version
  const version = base ?? inStage('draft') ?? inStage('live')
  const shown = useQuery({
    ...reading(call, 'readRules', { version: String(version) }),
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [text, setText] = useState<string>()
  const [rules, setRules] = useState<FormRule[]>([])
  const [velocities, setVelocities] = useState<Velocities>({})
  const [isTyped, setTyped] = useState(false)
  const [mayDropComments, setMayDropComments] = useState(false)
  const [checked, setChecked] = useState<CheckedRules>()
  const [isChanged, setChanged] = useState(false)
  const [isChecking, setChecking] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [rebased, setRebased] = useState<number>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const turn = useRef(0)

  async function check(given: ToCheck): Promise<void> {
    const mine = ++turn.current
    setChecking(true)
    try {
      const found = await call('checkRules', given)
      if (mine !== turn.current) return
      setChecked(found)
      setError(null)
      if (!('text' in given)) setText(found.text)
      // A form without the rules that have a mistake would lose them.
      if (found.mistakes.length === 0) {
        setRules([...found.rules])
        setVelocities((found.velocity ?? {}) as Velocities)
      }
    } catch (cause) {
      if (mine === turn.current) setError(cause as Error)
    } finally {
      if (mine === turn.current) setChecking(false)
    }
  }

  function later(given: ToCheck): void {
    setChanged(true)
    turn.current++
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void check(given), pauseMs)
  }

  /** An answer that is on its way would put the rules of before into the form. */
  function pause(): void {
    setChanged(true)
    turn.current++
    clearTimeout(timer.current)
    setChecking(false)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is read first fills the page
  useEffect(() => {
    if (!shown.data || text !== undefined) return
    const { rules: given, velocity } = shown.data
    void check({ rules: given, ...(velocity && { velocity }) } as ToCheck)
  }, [shown.data])

  const hasComments = text !== undefined && /^[^"'\n]*(^|\s)#/m.test(text)
  const formWaits = !isTyped
    ? undefined
    : isChecking || !checked
      ? 'checking'
      : checked.mistakes.length > 0
        ? 'mistakes'
        : hasComments && !mayDropComments
          ? 'comments'
          : undefined
  return {
    ...{ text, rules, velocities, checked, formWaits, isChecking, isChanged, isUnfinished: isWaiting },
    error: error ?? versions.error ?? shown.error,
    basedOn: rebased ?? versions.data?.versions[0]?.version ?? 0,
    rebase: setRebased,
    dropComments: () => setMayDropComments(true),
    type(typed) {
      setTyped(true)
      // Until it is checked, the form shows what was there before.
      setChecking(true)
      setText(typed)
      setWaiting(false)
      later({ text: typed })
    },
    fill({ rules: filled = rules, velocities: written = velocities }) {
      if (formWaits !== undefined) return
      setTyped(false)
      setRules([...filled])
      setVelocities(written)
      const waits = filled.some(({ tree }) => tree !== undefined && isUnfinished(groupOf(tree)))
      setWaiting(waits)
      if (waits) return pause()
      // The tree is what a form has changed.
      const sent = filled.map(({ tree, ...rule }) => ({ ...rule, when: tree ?? rule.when }))
      const velocity = Object.keys(written).length > 0 ? { velocity: written } : {}
      later({ rules: sent, ...velocity } as ToCheck)
    },
  }
}
