// Who are you? Email address and password, then the second factor.

import { useState } from 'react'
import type { RequestOf } from '../../api/call.ts'
import { problemName } from '../../api/problem.ts'
import { useChangeSession } from '../../api/session.tsx'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { Mark } from '../../shell/brand.tsx'
import { texts } from '../../texts.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { SsoButtons } from './sso-buttons.tsx'
import './entry.css'

/** `hasEnded`: over the page that a person worked on, which stays as it is. */
export function SignInPage({ hasEnded = false }: { hasEnded?: boolean }) {
  const changeSession = useChangeSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [usesRecovery, setUsesRecovery] = useState(false)
  const signingIn = useChange((call, request: RequestOf<'signIn'>) => call('signIn', request), {
    onDone: changeSession,
    onRefused: () => setCode(''),
  })
  const [needsCode, setNeedsCode] = useState(false)
  const asksForCode = needsCode || problemName(signingIn.error) === 'second-factor-missing'
  if (asksForCode && !needsCode) setNeedsCode(true)
  const submit = () => {
    const second = usesRecovery ? { recoveryCode: code } : { code }
    signingIn.mutate({ email, password, ...(asksForCode && code !== '' && second) })
  }
  return (
    <main className="entry">
      <SubmitForm className="entry-card" onSubmit={submit}>
        <Mark size={32} />
        <h1>{asksForCode ? 'Second factor' : hasEnded ? texts.entry.ended : `Sign in to ${texts.product}`}</h1>
        {hasEnded && <p className="entry-lead">{texts.entry.endedUnder}</p>}
        {asksForCode ? (
          <TextField
            key={usesRecovery ? 'recovery' : 'code'}
            label={usesRecovery ? 'Recovery code' : 'Code of your authenticator app'}
            value={code}
            onChange={setCode}
            autoFocus
            isRequired
            autoComplete="one-time-code"
            {...(!usesRecovery && { inputMode: 'numeric', maxLength: 64 })}
          />
        ) : (
          <>
            <TextField
              label="Email address"
              type="email"
              value={email}
              onChange={setEmail}
              autoFocus
              isRequired
              autoComplete="username"
            />
            <TextField
              label="Password"
              type="password"
              value={password}
              onChange={setPassword}
              isRequired
              autoComplete="current-password"
            />
          </>
        )}
        {signingIn.error && !(asksForCode && problemName(signingIn.error) === 'second-factor-missing') && (
          <CallError error={signingIn.error} />
        )}
        <Button kind="primary" type="submit" isDisabled={signingIn.isPending}>
          {asksForCode ? 'Confirm' : 'Sign in'}
        </Button>
        {!asksForCode && <PasskeySignIn />}
        {!asksForCode && <SsoButtons />}
        {asksForCode && (
          <Button kind="quiet" onPress={() => setUsesRecovery(!usesRecovery)}>
            {usesRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
          </Button>
        )}
      </SubmitForm>
      <p className="entry-note">
        No account yet? Open the one-time link that an administrator sent you, or that the service prints when it
        starts.
      </p>
    </main>
  )
}
