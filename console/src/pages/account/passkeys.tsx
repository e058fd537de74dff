// Which passkeys have I got? Lists, adds, renames and removes them.

import { useState } from 'react'
import { canUsePasskeys, makePasskey } from '../../api/passkey.ts'
import type { Passkey } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Feet } from '../../parts/forms/feet.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { needsProof, PasskeyProblem, ProveAgain } from './prove-again.tsx'
import './account.css'

const most = 10
const reads = ['listPasskeys']

type Open = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey }

export function Passkeys() {
  const answer = useRead('listPasskeys', {})
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Card title="Passkeys">
      <Answer of={answer} lines={2}>
        {(data) => (
          <>
            {data.passkeys.length === 0 ? (
              <p className="dim passkeys-none">
                With a passkey you sign in by finger, face or PIN. It needs no password and no code, and works on this
                site only, so nobody can lure you to another one.
              </p>
            ) : (
              <ul className="sessions passkeys">
                {data.passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.passkeyId} {...{ passkey, onOpen: setOpen }} />
                ))}
              </ul>
            )}
            <AddButton count={data.passkeys.length} onPress={() => setOpen({ dialog: 'add' })} />
          </>
        )}
      </Answer>
      {open?.dialog === 'add' && <AddPasskey onClose={close} />}
      {open?.dialog === 'rename' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.dialog === 'remove' && <RemovePasskey passkey={open.passkey} onClose={close} />}
    </Card>
  )
}

function AddButton({ count, onPress }: { count: number; onPress: () => void }) {
  if (!canUsePasskeys())
    return (
      <p className="dim">
        Passkeys can be added where the browser has them: over https or on localhost, with a host name.
      </p>
    )
  if (count >= most) return <p className="dim">There can be {most}. Remove one to add another.</p>
  return (
    <div className="factor-actions">
      <Button onPress={onPress}>
        <Icon name="passkey" />
        Add a passkey
      </Button>
    </div>
  )
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  const { name, backedUp, createdAt, lastUsedAt } = passkey
  return (
    <li>
      <div>
        <p>
          {name} {backedUp && <Badge>Synced</Badge>}
        </p>
        <p className="dim">
          Added <Time at={createdAt} />,{' '}
          {lastUsedAt ? (
            <>
              last used <Time at={lastUsedAt} />
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <span className="row-actions">
        <Button kind="quiet" aria-label={`Rename ${name}`} onPress={() => onOpen({ dialog: 'rename', passkey })}>
          Rename
        </Button>
        <Button kind="quiet" aria-label={`Remove ${name}`} onPress={() => onOpen({ dialog: 'remove', passkey })}>
          Remove
        </Button>
      </span>
    </li>
  )
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(nameOfDevice)
  const adding = useChange(
    async (call) => {
      const { options } = await call('beginPasskey', {})
      return call('addPasskey', { name: name.trim(), credential: await makePasskey(options) })
    },
    { reads, onDone: onClose },
  )
  return (
    <Dialog title="Add a passkey" isOpen onClose={onClose}>
      {needsProof(adding.error) ? (
        <ProveAgain onProved={() => adding.mutate()} onClose={onClose} />
      ) : (
        <DialogForm
          change={adding}
          onSubmit={() => adding.mutate()}
          onClose={onClose}
          action="Continue"
          problem={adding.error && <PasskeyProblem error={adding.error} />}
        >
          <p className="dim dialog-lead">
            Your browser asks where to store it: on this device, on a security key, or on your phone by a QR code.
          </p>
          <NameField {...{ name, setName }} />
        </DialogForm>
      )}
    </Dialog>
  )
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [name, setName] = useState(passkey.name)
  const renaming = useChange((call) => call('renamePasskey', { passkeyId: passkey.passkeyId, name: name.trim() }), {
    reads,
    onDone: onClose,
  })
  return (
    <Dialog title="Rename the passkey" isOpen onClose={onClose}>
      <DialogForm change={renaming} onSubmit={() => renaming.mutate()} onClose={onClose} action={texts.common.save}>
        <NameField {...{ name, setName }} />
      </DialogForm>
    </Dialog>
  )
}

function RemovePasskey({ passkey: { passkeyId, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const removing = useChange((call) => call('removePasskey', { passkeyId }), { reads, onDone: onClose })
  return (
    <Dialog title={`Remove ${name}?`} isOpen onClose={onClose}>
      {needsProof(removing.error) ? (
        <ProveAgain onProved={() => removing.mutate()} onClose={onClose} />
      ) : (
        <>
          <p className="dim">
            Nobody can sign in with it any more. Delete it on the device or in the password manager that has it, too.
          </p>
          <Feet error={removing.error} onClose={onClose}>
            <Button kind="danger" isDisabled={removing.isPending} onPress={() => removing.mutate()}>
              Remove
            </Button>
          </Feet>
        </>
      )}
    </Dialog>
  )
}

function NameField({ name, setName }: { name: string; setName: (name: string) => void }) {
  return (
    <TextField
      label="Name"
      value={name}
      onChange={setName}
      autoFocus
      isRequired
      pattern=".*\S.*"
      maxLength={60}
      description="So that you know later which one it is"
    />
  )
}

/** Such as `Mac`; a person can change it. */
function nameOfDevice(): string {
  const found = /iPhone|iPad|Android|Macintosh|Windows|CrOS|Linux/.exec(navigator.userAgent)?.[0]
  const names: Readonly<Record<string, string>> = { Macintosh: 'Mac', CrOS: 'Chromebook', Linux: 'Linux computer' }
  return found === undefined ? 'Passkey' : (names[found] ?? found)
}
