// Who are you? A passkey knows, and asks for a finger, a face or a PIN: it needs neither email address nor password.

import { useMutation } from '@tanstack/react-query'
import { askForPasskey, canUsePasskeys, PasskeyFailed } from '../../api/passkey.ts'
import { useChangeSession, useSession } from '../../api/session.tsx'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'

export function PasskeySignIn() {
  const { call } = useSession()
  const changeSession = useChangeSession()
  const signingIn = useMutation({
    async mutationFn() {
      const { options } = await call('beginPasskeySignIn', {})
      return call('signInWithPasskey', { credential: await askForPasskey(options) })
    },
    onSuccess: changeSession,
  })
  if (!canUsePasskeys()) return null
  const { error } = signingIn
  return (
    <div className="entry-other">
      <p className="entry-or dim">or</p>
      <Button onPress={() => signingIn.mutate()} isDisabled={signingIn.isPending}>
        <Icon name="passkey" />
        Sign in with a passkey
      </Button>
      {error instanceof PasskeyFailed ? (
        <p className="entry-hint" role="alert">
          {error.message}
        </p>
      ) : (
        error && <CallError error={error} />
      )}
    </div>
  )
}
