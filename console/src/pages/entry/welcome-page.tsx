// How does a person get an account? By a one-time link: a name, a password, and an authenticator app.

import { lazy, Suspense, useState } from 'react'
import { useChangeSession } from '../../api/session.tsx'
import type { AcceptedInvitation, Invitation } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { CodeField, NewPasswordField } from '../../parts/forms/secret-fields.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { Mark } from '../../shell/brand.tsx'
import { texts } from '../../texts.ts'
import './entry.css'

const QrCode = lazy(() => import('../../parts/qr-code.tsx'))

/** What follows `#` is the secret of the link: it is sent in a body, and no log contains it. */
export function WelcomePage() {
  const changeSession = useChangeSession()
  const link = location.hash.slice(1)
  const [accepted, setAccepted] = useState<AcceptedInvitation>()
  const { data, error } = useRead(
    'openInvitation',
    { link },
    {
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
  )
  return (
    <main className="entry">
      {accepted ? (
        <RecoveryCodes
          codes={accepted.recoveryCodes}
          onDone={() => {
            changeSession(accepted.me)
            const isFirst = accepted.me.permissions.includes('apps.write')
            location.replace(isFirst ? '/console/start' : '/console')
          }}
        />
      ) : error ? (
        <Failed error={error} />
      ) : data ? (
        <Account link={link} invitation={data} onAccepted={setAccepted} />
      ) : (
        <Loading lines={3} />
      )}
    </main>
  )
}

interface AccountProps {
  link: string
  invitation: Invitation
  onAccepted: (accepted: AcceptedInvitation) => void
}

function Account({ link, invitation, onAccepted }: AccountProps) {
  const { tenant, role, totp, person } = invitation
  const [name, setName] = useState(person?.name ?? '')
  const [email, setEmail] = useState(person?.email ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const accepting = useChange(
    (call) => call('acceptInvitation', { link, name, email, password, code, totpSetup: totp.setup }),
    { onDone: onAccepted, onRefused: () => setCode('') },
  )
  return (
    <SubmitForm className="entry-card welcome" onSubmit={() => accepting.mutate()}>
      <Mark size={32} />
      <h1>{person ? `Welcome back, ${person.name}` : `Welcome to ${texts.product}`}</h1>
      <p className="entry-lead dim">
        {person
          ? 'Your password and second factor were reset. Choose new ones.'
          : `You become ${role} of ${tenant.name}.`}
      </p>
      <TextField
        label="Your name"
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        maxLength={100}
        autoComplete="name"
      />
      <TextField
        label="Email address"
        type="email"
        value={email}
        onChange={setEmail}
        isRequired
        isReadOnly={person !== undefined}
        autoComplete="username"
      />
      <NewPasswordField label="Password" value={password} onChange={setPassword} />
      <div className="second-factor">
        <Suspense fallback={<span className="qr" />}>
          <QrCode text={totp.uri} label="QR code for the authenticator app" />
        </Suspense>
        <div>
          <p>Scan this with an authenticator app, or type the secret into it:</p>
          <Copy value={totp.secret} />
        </div>
      </div>
      <CodeField label="Code of the authenticator app" value={code} onChange={setCode} />
      {accepting.error && <CallError error={accepting.error} />}
      <Button kind="primary" type="submit" isDisabled={accepting.isPending}>
        {person ? 'Save and sign in' : 'Create the account'}
      </Button>
    </SubmitForm>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="entry-card">
      <Mark size={32} />
      <h1>Recovery codes</h1>
      <p className="entry-lead dim">
        Store them where you store passwords. Each replaces one code of the authenticator app, if you lose it. They are
        not shown again.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className="copy-all">
        <Copy value={codes.join('\n')}>Copy all</Copy>
      </p>
      <Button kind="primary" onPress={onDone}>
        I have stored them
      </Button>
    </div>
  )
}
