// What was decided in the last seconds, and how is it undone? What could not be sent is said here too.

import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Link } from '../../parts/link.tsx'
import { texts } from '../../texts.ts'
import type { Held, useHeld } from './held.ts'
import './desk.css'

interface UndoBarProps {
  of: Pick<ReturnType<typeof useHeld>, 'held' | 'failure'>
  onUndo: (one: Held) => void
}

export function UndoBar({ of: { held, failure }, onUndo }: UndoBarProps) {
  const last = held.at(-1)
  const words = texts.reviews
  return (
    <div className="undo" role="status">
      {last && (
        <div className="undo-bar">
          <p>
            <b>{last.outcome === 'challenge' ? words.asked : words.states[last.outcome]}</b>: <bdi>{last.who}</bdi>
            {held.length > 1 && <span className="dim"> {words.heldToo(held.length - 1)}</span>}
          </p>
          <Button onPress={() => onUndo(last)}>
            {words.undo} <kbd>u</kbd>
          </Button>
        </div>
      )}
      {failure && (
        <div className="undo-bar undo-failed">
          <p>
            {words.notSent} <bdi>{failure.of.who}</bdi>{' '}
            <Link to="/reviews" search={{ decisionId: failure.of.decisionId }}>
              {words.openAgain}
            </Link>
          </p>
          <CallError error={failure.error} />
        </div>
      )}
    </div>
  )
}
