// How does a dialog end that does something? With what went wrong, a way out, and the button that does it.

import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { CallError } from './call-error.tsx'

export interface FeetProps {
  error: Error | null
  /** In place of the usual words about an error. */
  problem?: ReactNode
  onClose: () => void
  /** The button. */
  children: ReactNode
}

export function Feet({ error, problem, onClose, children }: FeetProps) {
  return (
    <>
      {error && (problem ?? <CallError error={error} />)}
      <footer>
        <Button onPress={onClose}>{texts.common.cancel}</Button>
        {children}
      </footer>
    </>
  )
}
