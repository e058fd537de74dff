// Which action did the rules choose? A badge with its word and colour.

import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { type Action, type Tone, toneOf } from './actions.ts'
import './badge.css'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}

export function ActionBadge({ action }: { action: Action }) {
  return (
    <span className={`badge ${toneOf(action)}`}>
      <i className="dot" aria-hidden="true" />
      {texts.actions[action]}
    </span>
  )
}
