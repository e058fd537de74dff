// This thread checks one rules file at a time, and returns what is wrong with it.

import { parentPort } from 'node:worker_threads'
import { takeLowPriority } from '../../core/crypto/low-priority.ts'
import type { KnownLists } from '../language/list-mistake.ts'
import { type CheckedRules, checkRules, type ToCheck } from './check.ts'

export interface CheckOrder {
  readonly given: ToCheck
  readonly lists: KnownLists | undefined
}

/** `begun`: the thread has started, and works on the next order from now on. */
export type CheckReport = { readonly begun: true } | { readonly checked: CheckedRules } | { readonly failed: string }

if (parentPort) {
  const port = parentPort
  takeLowPriority()
  const report = (message: CheckReport) => port.postMessage(message)
  port.on('message', ({ given, lists }: CheckOrder) => {
    report({ begun: true })
    try {
      report({ checked: checkRules(given, lists) })
    } catch (error) {
      report({ failed: (error as Error).message })
    }
  })
}
