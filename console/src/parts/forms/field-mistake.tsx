// What is wrong with a field? Below it, and never moving the form while somebody presses a button.

import { useContext } from 'react'
import { FieldError, FieldErrorContext } from 'react-aria-components'
import { useSteady } from './steady.ts'

export function FieldMistake() {
  const validation = useSteady(useContext(FieldErrorContext))
  return (
    <FieldErrorContext value={validation}>
      <FieldError className="field-error" />
    </FieldErrorContext>
  )
}
