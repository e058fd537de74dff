// How do form and text stay the same? The service reads what was changed last, and answers with both.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestOf } from '../../../api/call.ts'
import { useSession } from '../../../api/session.tsx'
import type { CheckedRules } from '../../../api/types.ts'
import { useRead } from '../../../api/use-call.ts'
import { groupOf, isUnfinished } from './conditions.ts'
import type { FormRule } from './rule-form.tsx'
import type { Velocities } from './velocity-form.tsx'

export type Requirements = Pick<CheckedRules, 'require' | 'otherwise' | 'warnBelow'>

const requirementsOf = ({ require, otherwise, warnBelow }: Requirements): Requirements => ({
  ...(require && { require }),
  ...(otherwise !== undefined && { otherwise }),
  ...(warnBelow !== undefined && { warnBelow }),
})

/** What is compared to say what was changed. */
export interface Contents {
  readonly rules: readonly FormRule[]
  readonly velocities: Velocities
  readonly requirements: Requirements
}

type ToCheck = RequestOf<'checkRules'>

const pauseMs = 400

export interface Draft {
  /** Undefined until the base was read. */
  readonly text: string | undefined
  readonly rules: readonly FormRule[]
  readonly velocities: Velocities
  /** Written as text; a form sends them back unchanged. */
  readonly requirements: Requirements
  readonly checked: CheckedRules | undefined
  /** Why the form may not change the rules now: it would overwrite what it does not show. */
  readonly formWaits: 'checking' | 'mistakes' | 'comments' | undefined
  readonly isChecking: boolean
  /** A rule of the form compares nothing yet: the text follows when it does. */
  readonly isUnfinished: boolean
  readonly isChanged: boolean
  readonly error: Error | null
  /** As they were when the edit began. */
  readonly base: Contents | undefined
  /** The version that was edited: the one to begin with, or the one that was looked at in a conflict. */
  readonly basedOn: number
  rebase(version: number): void
  /** It is stored as this version, and waits for nothing. */
  saved(version: number): void
  type(text: string): void
  /** What is left out stays as it is. */
  fill(made: { rules?: readonly FormRule[]; velocities?: Velocities }): void
  /** From now on the form may remove the comments of the text. */
  dropComments(): void
}

/** @param version the version to begin with; undefined until it is known */
export function useDraft(version: number | undefined): Draft {
  const { data: shown, error } = useRead(
    'readRules',
    { version: String(version) },
    { enabled: version !== undefined, staleTime: Number.POSITIVE_INFINITY },
  )
  const [base, setBase] = useState<Contents>()
  const [text, setText] = useState<string>()
  const [rules, setRules] = useState<FormRule[]>([])
  const [velocities, setVelocities] = useState<Velocities>({})
  const [requirements, setRequirements] = useState<Requirements>({})
  const [isTyped, setTyped] = useState(false)
  const [mayDropComments, setMayDropComments] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const [isUnfinishedRule, setUnfinished] = useState(false)
  const [rebased, setRebased] = useState<number>()
  const check = useCheck((found, given) => {
    if (!('text' in given)) setText(found.text)
    // A form without the rules that have a mistake would lose them.
    if (found.mistakes.length === 0) {
      const contents = contentsOf(found)
      setRules([...contents.rules])
      setVelocities(contents.velocities)
      setRequirements(contents.requirements)
      setBase((before) => before ?? contents)
    }
  })
  const { checked, isChecking } = check

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is read first fills the page
  useEffect(() => {
    if (!shown || text !== undefined) return
    const { rules: given, velocity } = shown
    void check.now({ ...requirementsOf(shown), rules: given, ...(velocity && { velocity }) } as unknown as ToCheck)
  }, [shown])

  const formWaits = isTyped ? whyFormWaits(check, text, mayDropComments) : undefined
  return {
    ...{
      text,
      rules,
      velocities,
      requirements,
      checked,
      formWaits,
      isChecking,
      isChanged,
      isUnfinished: isUnfinishedRule,
    },
    base,
    error: check.error ?? error,
    basedOn: rebased ?? version ?? 0,
    rebase: setRebased,
    saved(stored) {
      setRebased(stored)
      setChanged(false)
    },
    dropComments: () => setMayDropComments(true),
    type(typed) {
      setTyped(true)
      setText(typed)
      setUnfinished(false)
      setChanged(true)
      check.later({ text: typed })
    },
    fill({ rules: filled = rules, velocities: written = velocities }) {
      if (formWaits !== undefined) return
      setTyped(false)
      setRules([...filled])
      setVelocities(written)
      setChanged(true)
      const waits = filled.some(({ tree }) => tree !== undefined && isUnfinished(groupOf(tree)))
      setUnfinished(waits)
      if (waits) return check.stop()
      // The tree is what a form has changed.
      const sent = filled.map(({ tree, ...rule }) => ({ ...rule, when: tree ?? rule.when }))
      const velocity = Object.keys(written).length > 0 ? { velocity: written } : {}
      check.later({ ...requirements, rules: sent, ...velocity } as unknown as ToCheck)
    },
  }
}

const contentsOf = (found: CheckedRules): Contents => ({
  rules: found.rules,
  velocities: (found.velocity ?? {}) as Velocities,
  requirements: requirementsOf(found),
})

interface Check {
  readonly checked: CheckedRules | undefined
  readonly isChecking: boolean
  readonly error: Error | null
  now(given: ToCheck): Promise<void>
  /** After a pause in typing. It counts as checking from now on: form and text are not the same until it is checked. */
  later(given: ToCheck): void
  /** An answer that is on its way would put the rules of before into the form. */
  stop(): void
}

/** Only the answer to what was sent last is taken, and nobody waits for the others. */
function useCheck(take: (found: CheckedRules, given: ToCheck) => void): Check {
  const { call } = useSession()
  const [checked, setChecked] = useState<CheckedRules>()
  const [isChecking, setChecking] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef<AbortController>(undefined)

  const forget = useCallback(() => {
    sent.current?.abort()
    clearTimeout(timer.current)
  }, [])
  useEffect(() => forget, [forget])

  async function now(given: ToCheck): Promise<void> {
    forget()
    const mine = new AbortController()
    const { signal } = mine
    sent.current = mine
    setChecking(true)
    try {
      const found = await call('checkRules', given, { signal, outlivesSession: true })
      if (signal.aborted) return
      setChecked(found)
      setError(null)
      take(found, given)
    } catch (cause) {
      if (!signal.aborted) setError(cause as Error)
    } finally {
      if (!signal.aborted) setChecking(false)
    }
  }

  return {
    ...{ checked, isChecking, error, now },
    later(given) {
      setChecking(true)
      forget()
      timer.current = setTimeout(() => void now(given), pauseMs)
    },
    stop() {
      forget()
      setChecking(false)
    },
  }
}

function whyFormWaits({ checked, isChecking }: Check, text = '', mayDropComments: boolean): Draft['formWaits'] {
  if (isChecking || !checked) return 'checking'
  if (checked.mistakes.length > 0) return 'mistakes'
  const hasComments = /^[^"'\n]*(^|\s)#/m.test(text)
  return hasComments && !mayDropComments ? 'comments' : undefined
}
