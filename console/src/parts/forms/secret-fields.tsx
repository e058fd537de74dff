// How does a person type a code of an authenticator app, or a new password?

import { type OwnTextFieldProps, TextField } from '../field.tsx'

export const CodeField = (props: OwnTextFieldProps) => (
  <TextField {...props} isRequired inputMode="numeric" maxLength={64} autoComplete="one-time-code" />
)

export const NewPasswordField = (props: OwnTextFieldProps) => (
  <TextField
    {...props}
    type="password"
    isRequired
    minLength={12}
    maxLength={256}
    autoComplete="new-password"
    description="At least 12 characters; a sentence is fine"
  />
)
