// Which devices does the account know? Each can be renamed, revoked, and trusted again.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { TrustedDevice } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { Link } from '../../parts/link.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { shortId } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import './user.css'

export function UserDevices({ userId }: { userId: string }) {
  const answer = useRead('listUserDevices', { userId })
  return (
    <Card title="Devices of the account">
      <Answer of={answer} lines={3} isStrict>
        {(data) =>
          data.devices.length === 0 ? (
            <p className="dim">
              No device is confirmed yet. A proven sign-in, a passed challenge or a good label confirms the device of
              its session.
            </p>
          ) : (
            <ul className="devices">
              {data.devices.map((device) => (
                <Device key={device.deviceId} userId={userId} device={device} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}

type Change = { readonly name: string } | { readonly trusted: boolean }

function Device({ userId, device }: { userId: string; device: TrustedDevice }) {
  const may = useMay()
  const { deviceId, name, trusted, platform, browser, os, model, firstSeenAt, lastSeenAt, revokedAt } = device
  const [isNaming, setNaming] = useState(false)
  const changing = useChange(
    (call, change: Change) =>
      'trusted' in change && change.trusted
        ? call('trustUserDevice', { userId, deviceId })
        : call('updateUserDevice', { userId, deviceId, ...('name' in change ? change : { trusted: false }) }),
    { reads: ['listUserDevices', 'searchEvents', 'readDevice'], onDone: () => setNaming(false) },
  )
  const kind = model ?? ([browser, os].filter((each) => each !== undefined).join(' on ') || platform)
  return (
    <li>
      <div>
        <p className="device-name">
          <b>{name ?? kind}</b>
          {trusted ? <Badge tone="green">Trusted</Badge> : <Badge tone="red">Revoked</Badge>}
        </p>
        <p className="dim">
          {name !== undefined && `${kind} · `}
          {may('devices.read') ? (
            <Link to="/devices/$deviceId" params={{ deviceId }}>
              {shortId(deviceId)}
            </Link>
          ) : (
            <code>{shortId(deviceId)}</code>
          )}
          {' · last seen '}
          <Time at={lastSeenAt} />, first <Time at={firstSeenAt} />
          {revokedAt !== undefined && (
            <>
              , revoked <Time at={revokedAt} />
            </>
          )}
        </p>
      </div>
      {may('users.write') && (
        <p className="device-actions">
          <Button kind="quiet" onPress={() => setNaming(true)}>
            Rename
          </Button>
          <Button kind="quiet" isDisabled={changing.isPending} onPress={() => changing.mutate({ trusted: !trusted })}>
            {trusted ? 'Revoke' : 'Trust again'}
          </Button>
        </p>
      )}
      {changing.error && <CallError error={changing.error} />}
      <Dialog title="Rename the device" isOpen={isNaming} onClose={() => setNaming(false)}>
        <Naming name={name ?? ''} isPending={changing.isPending} onName={(next) => changing.mutate({ name: next })} />
      </Dialog>
    </li>
  )
}

interface NamingProps {
  name: string
  isPending: boolean
  onName: (name: string) => void
}

function Naming({ name, isPending, onName }: NamingProps) {
  const [text, setText] = useState(name)
  return (
    <SubmitForm onSubmit={() => onName(text.trim())}>
      <TextField
        label="Name"
        value={text}
        onChange={setText}
        maxLength={64}
        description="Your app may show it to the user. An empty name removes it."
        autoFocus
      />
      <footer>
        <Button kind="primary" type="submit" isDisabled={isPending}>
          {texts.common.save}
        </Button>
      </footer>
    </SubmitForm>
  )
}
