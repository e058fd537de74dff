// Is it still you? Before somebody changes how they sign in, they prove it again, and then need not for ten minutes.

import { askForPasskey, canUsePasskeys, PasskeyFailed } from '../../api/passkey.ts'
import { problemName } from '../../api/problem.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type Proof, ProofForm } from './proof-form.tsx'
import './account.css'

/** Whether a change was refused because the last proof is too long ago. */
export const needsProof = (error: Error | null): boolean => problemName(error) === 'confirmation-missing'

export function ProveAgain({ onProved, onClose }: { onProved: () => void; onClose: () => void }) {
  const { data } = useRead('listPasskeys', {})
  const proving = useChange((call, proof: Proof) => call('confirmPerson', proof), { onDone: onProved })
  const byPasskey = useChange(
    async (call) => {
      const { options } = await call('beginConfirmation', {})
      return call('confirmPerson', { credential: await askForPasskey(options) })
    },
    { onDone: onProved },
  )
  const hasPasskey = canUsePasskeys() && data !== undefined && data.passkeys.length > 0
  return (
    <ProofForm
      change={proving}
      onSubmit={proving.mutate}
      onClose={onClose}
      action="Confirm"
      kind={hasPasskey ? 'plain' : 'primary'}
      isFirst={!hasPasskey}
      lead={
        <>
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
        </>
      }
    />
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
