// How do I change to another phone? A new secret for the authenticator app; the present one works until a code of it arrives.

import { lazy, Suspense, useState } from 'react'
import { problemName } from '../../api/problem.ts'
import type { AuthenticatorSetup } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Check } from '../../parts/forms/checks.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { CodeField } from '../../parts/forms/secret-fields.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { NewCodesList } from './new-codes-list.tsx'
import { needsProof, ProveAgain } from './prove-again.tsx'
import './account.css'

const QrCode = lazy(() => import('../../parts/qr-code.tsx'))

export function NewAuthenticator({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRead(
    'beginAuthenticator',
    {},
    {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
    },
  )
  return (
    <Dialog title="New authenticator app" isOpen onClose={onClose}>
      {data ? (
        <Setup setup={data} onClose={onClose} />
      ) : needsProof(error) ? (
        <ProveAgain onProved={() => void refetch()} onClose={onClose} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading lines={3} />
      )}
    </Dialog>
  )
}

function Setup({ setup: { secret, uri, setup }, onClose }: { setup: AuthenticatorSetup; onClose: () => void }) {
  const [code, setCode] = useState('')
  const [renews, setRenews] = useState(false)
  const replacing = useChange((call) => call('replaceAuthenticator', { setup, code, newRecoveryCodes: renews }), {
    reads: ['readFactors', 'listSessions'],
    onRefused: () => setCode(''),
  })
  if (replacing.data) {
    const { recoveryCodes, endedSessions } = replacing.data
    return (
      <>
        <p>
          Codes of the previous app do not work any more.
          {endedSessions > 0 && ' You are signed out everywhere else.'}
        </p>
        {recoveryCodes && <NewCodesList codes={recoveryCodes} />}
        <footer>
          <Button kind="primary" onPress={onClose}>
            Done
          </Button>
        </footer>
      </>
    )
  }
  return (
    <DialogForm
      change={replacing}
      onSubmit={() => replacing.mutate()}
      onClose={onClose}
      action="Use the new app"
      problem={
        problemName(replacing.error) === 'console-sign-in-failed' ? (
          <p className="field-error" role="alert">
            This is no code of the new app. Is the clock of the phone right?
          </p>
        ) : undefined
      }
    >
      <div className="new-app">
        <Suspense fallback={<span className="qr" />}>
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Suspense>
        <div>
          <p>Scan this with the new app, or type the secret into it. The present app works until you confirm.</p>
          <Copy value={secret} />
        </div>
      </div>
      <CodeField label="Code of the new app" value={code} onChange={setCode} autoFocus />
      <Check isSelected={renews} onChange={setRenews}>
        Make new recovery codes too, if somebody else may have the previous ones
      </Check>
    </DialogForm>
  )
}
