// Which action did the rules choose? A badge with its word and colour.

import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { type Action, type Tone, toneOfDecision } from './actions.ts'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}

/** `isSure`: nothing that was asked for is unknown, and no rule decided. */
export function ActionBadge({ action, isSure = true }: { action: Action; isSure?: boolean }) {
  return (
    <span className={`badge ${toneOfDecision(action, isSure)}`}>
      <i className="dot" aria-hidden="true" />
      {texts.actions[action]}
    </span>
  )
}
