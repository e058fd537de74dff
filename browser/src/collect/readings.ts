// What is known of each fact so far? Facts arrive from the page and the worker, until the time is up.

import type { Absence } from './read-facts.ts'
import { nextTask } from './turns.ts'

export interface Collected<Facts> {
  readonly facts: Facts
  /** Why each other fact is missing. */
  readonly missing: Readonly<Record<string, Absence | 'timedOut'>>
}

export interface Readings<Facts> {
  /** Stores a value, the first one that arrives; or why there is none. */
  add(name: string, value: unknown, absence?: Absence): void
  /** No other reading follows: a fact without a value stays missing. */
  close(names: readonly string[]): void
  isOpen(name: string): boolean
  /** Waits until these facts are known, at most `limitMs`. */
  known(names: readonly string[], limitMs: number): Promise<void>
  /** What is known by now. All facts are closed, so later ones change nothing. */
  end(): Collected<Facts>
}

export function readings<Facts>(names: readonly string[]): Readings<Facts> {
  const open = new Set(names)
  const facts: Record<string, unknown> = {}
  const missing: Record<string, Absence | 'timedOut'> = {}
  let check = () => {}
  return {
    add(name, value, absence) {
      if (!open.has(name)) return
      if (value !== undefined) {
        facts[name] = value
        open.delete(name)
        delete missing[name]
      } else if (absence && missing[name] !== 'refused') missing[name] = absence
      check()
    },
    close(names) {
      for (const name of names) open.delete(name)
      check()
    },
    isOpen: (name) => open.has(name),
    async known(names, limitMs) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        check = () => {
          if (names.some((name) => open.has(name))) return
          clearTimeout(timer)
          resolve()
        }
        check()
      })
      await nextTask() // on a busy page, facts may have arrived that wait behind the timer
    },
    end() {
      for (const name of open) missing[name] = 'timedOut'
      open.clear()
      return { facts: facts as Facts, missing }
    },
  }
}
