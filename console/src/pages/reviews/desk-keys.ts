// In which order do keys of the desk act? Each after the one before it, and once its case is shown: fast fingers lose none.

import { createContext, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../shell/shortcuts.ts'

type Actions = Record<string, () => void>

/** What keys do in the case that is shown; the desk calls it when it is their turn. */
const CaseKeys = createContext<RefObject<Actions> | undefined>(undefined)
export const CaseKeysProvider = CaseKeys.Provider

/** Keys of a case: on the desk they wait their turn, on its own page they act at once. */
export function useCaseKeys(actions: Actions): void {
  const desk = useContext(CaseKeys)
  useEffect(() => {
    if (!desk) return
    const registered = desk.current
    Object.assign(registered, actions)
    return () => {
      for (const [key, action] of Object.entries(actions)) if (registered[key] === action) delete registered[key]
    }
  })
  useShortcuts(desk ? {} : actions)
}

interface DeskKeys {
  /** The decision of the page, and whether everything of it is shown. */
  readonly decisionId: string | undefined
  readonly isShown: boolean
  /** Keys that go to another case: what they open, undefined for nothing. */
  readonly moves: Readonly<Record<string, () => string | undefined>>
  /** Keys that `useCaseKeys` has, if the case takes them. */
  readonly ofCase: readonly string[]
}

export function useDeskKeys({ decisionId, isShown, moves, ofCase }: DeskKeys) {
  const registered = useRef<Actions>({})
  const waiting = useRef<string[]>([])
  const opening = useRef<string>(undefined)
  const [, wake] = useState(0)
  const press = (key: string) => () => {
    waiting.current.push(key)
    wake((count) => count + 1)
  }
  useShortcuts(Object.fromEntries([...Object.keys(moves), ...ofCase].map((key) => [key, press(key)])))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was opened is there, or something else is
  useEffect(() => {
    opening.current = undefined
  }, [decisionId])
  // After each render: the case before may have just left.
  useEffect(() => {
    const key = waiting.current[0]
    if (key === undefined || (opening.current !== undefined && opening.current !== decisionId)) return
    const move = moves[key]
    if (!move && decisionId !== undefined && !isShown) return
    waiting.current.shift()
    if (move) opening.current = move() ?? opening.current
    else registered.current[key]?.()
    wake((count) => count + 1)
  })
  return {
    registered,
    /** The page opens this one: keys that follow are meant for it. */
    opens(next: string | undefined) {
      opening.current = next
    },
  }
}
