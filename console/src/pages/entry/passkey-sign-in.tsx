// Who are you? A passkey knows, and asks for a finger, a face or a PIN: it needs neither email address nor password.

import { askForPasskey, canUsePasskeys, PasskeyFailed } from '../../api/passkey.ts'
import { useChangeSession } from '../../api/session.tsx'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import './entry.css'

export function PasskeySignIn() {
  const changeSession = useChangeSession()
  const signingIn = useChange(
    async (call) => {
      const { options } = await call('beginPasskeySignIn', {})
      return call('signInWithPasskey', { credential: await askForPasskey(options) })
    },
    { onDone: changeSession },
  )
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
