// How is single sign-on configured? With what the identity provider says about the client, and which group gives which role.

import { useState } from 'react'
import type { RequestOf } from '../../../api/call.ts'
import type { SingleSignOn } from '../../../api/types.ts'
import { useChange } from '../../../api/use-call.ts'
import { Button } from '../../../parts/button.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Select, TextField } from '../../../parts/field.tsx'
import { CallError } from '../../../parts/forms/call-error.tsx'
import { Check } from '../../../parts/forms/checks.tsx'
import { DialogForm } from '../../../parts/forms/dialog-form.tsx'
import { Feet } from '../../../parts/forms/feet.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Dialog } from '../../../parts/overlay.tsx'
import { texts } from '../../../texts.ts'
import { RolesOfGroups, type RowOfGroup, rowsOf } from './roles-of-groups.tsx'
import './sso.css'

type Passwords = NonNullable<RequestOf<'saveSso'>['passwords']>

export function SsoDialog({ sso, onClose }: { sso: SingleSignOn; onClose: () => void }) {
  const { connection } = sso
  const [name, setName] = useState(connection?.name ?? '')
  const [issuer, setIssuer] = useState(connection?.issuer ?? '')
  const [clientId, setClientId] = useState(connection?.clientId ?? '')
  const [clientSecret, setClientSecret] = useState('')
  const [scopes, setScopes] = useState(connection?.scopes.join(' ') ?? 'openid profile email')
  const [groupsClaim, setGroupsClaim] = useState(connection?.groupsClaim ?? 'groups')
  const [rows, setRows] = useState<readonly RowOfGroup[]>(() => rowsOf(connection?.roles ?? []))
  const [makesPeople, setMakesPeople] = useState(connection?.makesPeople ?? true)
  const [isListed, setListed] = useState(connection?.isListed ?? true)
  const [isEnabled, setEnabled] = useState(connection?.isEnabled ?? true)
  const [passwords, setPasswords] = useState<Passwords>(connection?.passwords ?? 'allowed')
  const saving = useChange(
    (call) => {
      const roles = rows.filter(({ group }) => group !== '').map(({ group, role }) => ({ group, role }))
      const listed = scopes.split(/[\s,]+/).filter(Boolean)
      const settings = { groupsClaim, roles, scopes: listed, makesPeople, isListed, isEnabled, passwords }
      const client = { name, issuer, clientId, clientSecret: clientSecret || undefined }
      return call('saveSso', { ...client, ...settings }, { version: sso.version })
    },
    { reads: ['readSso'], onDone: onClose },
  )
  const keepsSecret = connection?.hasSecret && connection.issuer === issuer && connection.clientId === clientId
  return (
    <Dialog title={texts.sso.title} isOpen onClose={onClose}>
      <DialogForm
        className="sso-form"
        change={saving}
        onSubmit={() => saving.mutate()}
        onClose={onClose}
        action={texts.sso.save}
      >
        <div className="sso-redirect">
          <p className="dim">{texts.sso.register}</p>
          <Copy value={sso.callbackUrl} />
        </div>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          autoFocus
          isRequired
          maxLength={60}
          placeholder="Shop"
          description='The button says "Continue with Shop"'
        />
        <TextField
          label="Issuer"
          value={issuer}
          onChange={setIssuer}
          isRequired
          maxLength={500}
          placeholder="https://login.example/realms/shop"
        />
        <TestConnection issuer={issuer} />
        <TextField label="Client id" value={clientId} onChange={setClientId} isRequired maxLength={300} />
        <TextField
          label="Client secret"
          type="password"
          autoComplete="off"
          value={clientSecret}
          onChange={setClientSecret}
          maxLength={500}
          placeholder={keepsSecret ? 'Stays as it is' : ''}
          description={texts.sso.secretHelp}
        />
        <TextField label="Scopes" value={scopes} onChange={setScopes} />
        <TextField
          label="Claim with the groups"
          value={groupsClaim}
          onChange={setGroupsClaim}
          isRequired
          maxLength={200}
          description="groups, roles, or a path such as realm_access.roles"
        />
        <RolesOfGroups rows={rows} onChange={setRows} />
        <Select
          label="Passwords and passkeys"
          options={texts.sso.passwords}
          value={passwords}
          onChange={setPasswords}
        />
        <div className="sso-checks">
          <Check isSelected={makesPeople} onChange={setMakesPeople}>
            {texts.sso.makesPeople}
          </Check>
          <Check isSelected={isListed} onChange={setListed}>
            {texts.sso.isListed}
          </Check>
          <Check isSelected={isEnabled} onChange={setEnabled}>
            {texts.sso.isEnabled}
          </Check>
        </div>
      </DialogForm>
    </Dialog>
  )
}

function TestConnection({ issuer }: { issuer: string }) {
  const testing = useChange((call) => call('testSso', { issuer }))
  return (
    <div className="sso-test">
      <Button onPress={() => testing.mutate()} isDisabled={testing.isPending || !/^https?:\/\/./.test(issuer)}>
        {texts.sso.test}
      </Button>
      <ul role="status">
        {testing.data?.findings.map(({ isOk, text }) => (
          <li key={text} className={isOk ? 'found-ok' : 'found-wrong'}>
            <Icon name={isOk ? 'check' : 'warning'} size={14} /> {text}
          </li>
        ))}
      </ul>
      {testing.error && <CallError error={testing.error} />}
    </div>
  )
}

export function RemoveSso({ version, onClose }: { version: number; onClose: () => void }) {
  const removing = useChange((call) => call('removeSso', {}, { version }), { reads: ['readSso'], onDone: onClose })
  return (
    <Dialog title={texts.sso.removeQuestion} isOpen onClose={onClose}>
      <p>{texts.sso.removeHelp}</p>
      <Feet error={removing.error} onClose={onClose}>
        <Button kind="danger" onPress={() => removing.mutate()} isDisabled={removing.isPending}>
          {texts.sso.remove}
        </Button>
      </Feet>
    </Dialog>
  )
}
