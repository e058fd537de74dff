// Is it still you? Before somebody changes how they sign in, they prove it again, and then need not for ten minutes.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import type { RequestOf } from '../../api/call.ts'
import { askForPasskey, canUsePasskeys, PasskeyFailed } from '../../api/passkey.ts'
import { problemName } from '../../api/problem.ts'
import { reading, useSession } from '../../api/session.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { texts } from '../../texts.ts'

/** Whether a change was refused because the last proof is too long ago. */
export const needsProof = (error: Error | null): boolean => problemName(error) === 'confirmation-missing'

export function ProveAgain({ onProved, onClose }: { onProved: () => void; onClose: () => void }) {
  const { call, me } = useSession()
  const { data } = useQuery(reading(call, 'listPasskeys', {}))
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const proving = useMutation({
    mutationFn: (proof: RequestOf<'confirmPerson'>) => call('confirmPerson', proof),
    onSuccess: onProved,
  })
  const byPasskey = useMutation({
    async mutationFn() {
      const { options } = await call('beginConfirmation', {})
      return call('confirmPerson', { credential: await askForPasskey(options) })
    },
    onSuccess: onProved,
  })
  const hasPasskey = canUsePasskeys() && data !== undefined && data.passkeys.length > 0
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setCode('')
        proving.mutate({ password, code })
      }}
    >
      <p className="dim dialog-lead">You signed in a while ago. Show that it is still you.</p>
      {hasPasskey && (
        <div className="prove-by-passkey">
          <Button kind="primary" onPress={() => byPasskey.mutate()} isDisabled={byPasskey.isPending}>
            <Icon name="passkey" />
            Use a passkey
          </Button>
          {byPasskey.error && <PasskeyProblem error={byPasskey.error} />}
          <p className="dim">Or with your password:</p>
        </div>
      )}
      {/* Shows a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={me?.person?.email ?? ''} readOnly hidden />
      <TextField
        label="Present password"
        type="password"
        value={password}
        onChange={setPassword}
        autoFocus={!hasPasskey}
        isRequired
        autoComplete="current-password"
      />
      <TextField
        label="Code of your authenticator app"
        value={code}
        onChange={setCode}
        isRequired
        inputMode="numeric"
        maxLength={64}
        autoComplete="one-time-code"
        description="If you have just used one, wait for the next"
      />
      {proving.error &&
        (problemName(proving.error) === 'console-sign-in-failed' ? (
          <p className="field-error" role="alert">
            The password or code is wrong, or the code was used before.
          </p>
        ) : (
          <CallError error={proving.error} />
        ))}
      <footer>
        <Button onPress={onClose}>{texts.common.cancel}</Button>
        <Button kind={hasPasskey ? 'plain' : 'primary'} type="submit" isDisabled={proving.isPending}>
          Confirm
        </Button>
      </footer>
    </Form>
  )
}

/** What the browser or the service says about a passkey. */
export function PasskeyProblem({ error }: { error: Error }) {
  if (!(error instanceof PasskeyFailed)) return <CallError error={error} />
  return (
    <p className="field-error" role="alert">
      {error.message}
    </p>
  )
}
