// How does somebody prove who they are? With the password and a code of the authenticator app.

import { type ReactNode, useState } from 'react'
import { problemName } from '../../api/problem.ts'
import { useSession } from '../../api/session.tsx'
import { TextField } from '../../parts/field.tsx'
import { DialogForm, type DialogFormProps } from '../../parts/forms/dialog-form.tsx'
import { CodeField } from '../../parts/forms/secret-fields.tsx'

export interface Proof {
  readonly password: string
  readonly code: string
}

interface ProofFormProps extends Pick<DialogFormProps, 'change' | 'onClose' | 'action' | 'kind'> {
  onSubmit: (proof: Proof) => void
  /** Before the fields. */
  lead?: ReactNode
  /** False: another way comes first. */
  isFirst?: boolean
  /** Between password and code. */
  children?: ReactNode
}

export function ProofForm({ onSubmit, lead, isFirst = true, children, ...form }: ProofFormProps) {
  const { me } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <DialogForm
      {...form}
      onSubmit={() => {
        setCode('')
        onSubmit({ password, code })
      }}
      problem={
        problemName(form.change.error) === 'console-sign-in-failed' ? (
          <p className="field-error" role="alert">
            The present password or the code is wrong, or the code was used before.
          </p>
        ) : undefined
      }
    >
      {lead}
      {/* Shows a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={me?.person?.email ?? ''} readOnly hidden />
      <TextField
        label="Present password"
        type="password"
        value={password}
        onChange={setPassword}
        autoFocus={isFirst}
        isRequired
        autoComplete="current-password"
      />
      {children}
      <CodeField
        label="Code of your authenticator app"
        value={code}
        onChange={setCode}
        description="If you have just used one, wait for the next"
      />
    </DialogForm>
  )
}
