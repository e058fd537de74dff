// How do I sign in, and how do I change it? Whoever changes it proves again who they are.

import { useState } from 'react'
import { useChange, useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { NewPasswordField } from '../../parts/forms/secret-fields.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import { NewAuthenticator } from './new-authenticator.tsx'
import { NewCodesList } from './new-codes-list.tsx'
import { type Proof, ProofForm } from './proof-form.tsx'
import './account.css'

export function Factors() {
  const answer = useRead('readFactors', {})
  const [open, setOpen] = useState<'password' | 'codes' | 'app'>()
  const close = () => setOpen(undefined)
  return (
    <Card title="How you sign in">
      <Answer of={answer} lines={2}>
        {(data) => (
          <>
            <Facts
              facts={[
                { name: 'Authenticator app', value: data.authenticatorApp ? texts.common.yes : texts.common.no },
                { name: 'Recovery codes left', value: data.recoveryCodes },
              ]}
            />
            <div className="factor-actions">
              <Button onPress={() => setOpen('password')}>Change password</Button>
              <Button onPress={() => setOpen('app')}>New authenticator app</Button>
              <Button onPress={() => setOpen('codes')}>New recovery codes</Button>
            </div>
          </>
        )}
      </Answer>
      {open === 'password' && <ChangePassword onClose={close} />}
      {open === 'app' && <NewAuthenticator onClose={close} />}
      {open === 'codes' && <NewCodes onClose={close} />}
    </Card>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const [newPassword, setNewPassword] = useState('')
  const changing = useChange((call, proof: Proof) => call('changePassword', { ...proof, newPassword }), {
    reads: ['listSessions'],
  })
  if (changing.data) {
    return (
      <Dialog title="Your password is changed" isOpen onClose={onClose}>
        <p>
          {changing.data.endedSessions === 0
            ? 'You were signed in nowhere else.'
            : `You are signed out of ${changing.data.endedSessions} other ${changing.data.endedSessions === 1 ? 'place' : 'places'}.`}
        </p>
        <Done onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Change password" isOpen onClose={onClose}>
      <ProofForm change={changing} onSubmit={changing.mutate} onClose={onClose} action="Change password">
        <NewPasswordField label="New password" value={newPassword} onChange={setNewPassword} />
      </ProofForm>
    </Dialog>
  )
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const renewing = useChange((call, proof: Proof) => call('renewRecoveryCodes', proof), { reads: ['readFactors'] })
  if (renewing.data) {
    return (
      <Dialog title="New recovery codes" isOpen onClose={onClose}>
        <NewCodesList codes={renewing.data.recoveryCodes} />
        <Done onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="New recovery codes" isOpen onClose={onClose}>
      <ProofForm change={renewing} onSubmit={renewing.mutate} onClose={onClose} action="Replace the codes" />
    </Dialog>
  )
}

function Done({ onClose }: { onClose: () => void }) {
  return (
    <footer>
      <Button kind="primary" onPress={onClose}>
        Done
      </Button>
    </footer>
  )
}
