// What changes on the page People? Each change in a dialog that says what follows from it.

import { useState } from 'react'
import type { ListedInvitation, ListedPerson, NewInvitation } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Feet } from '../../parts/forms/feet.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { Time } from '../../parts/values/time.tsx'
import { useRoleOptions } from './roles/role-options.ts'
import './people.css'

/** Whatever comes of a change, the page shows it. */
const again = { reads: ['listPeople', 'listInvitations'], readsAlways: true } as const

export function Invite({ onClose }: { onClose: () => void }) {
  const roles = useRoleOptions()
  const [role, setRole] = useState('analyst')
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<NewInvitation>()
  const inviting = useChange((call) => call('invite', { role, email: email || undefined }), {
    ...again,
    onDone: setMade,
  })
  if (made) return <OneTimeLink title="Send this link" made={made} onClose={onClose} />
  return (
    <Dialog title="Invite somebody" isOpen onClose={onClose}>
      <DialogForm change={inviting} onSubmit={() => inviting.mutate()} onClose={onClose} action="Make a link">
        <Select label="Role" options={roles} value={role} onChange={setRole} />
        <TextField
          label="Email address"
          type="email"
          value={email}
          onChange={setEmail}
          description="The link then works for this address only. Nothing is sent: you send the link"
        />
      </DialogForm>
    </Dialog>
  )
}

/** The link is in this dialog and nowhere else. */
function OneTimeLink({ title, made, onClose }: { title: string; made: NewInvitation; onClose: () => void }) {
  return (
    <Dialog title={title} isKept isOpen onClose={onClose}>
      <p>
        It works once, and is not shown again. It ends <Time at={made.invitation.expiresAt} />.
      </p>
      <p className="one-time-link">
        <Copy value={made.url} />
      </p>
      <footer>
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  )
}

interface OfPerson {
  person: ListedPerson
  onClose: () => void
}

export function ChangeRole({ person, onClose }: OfPerson) {
  const roles = useRoleOptions()
  const [role, setRole] = useState(person.role)
  const { personId, version } = person
  const changing = useChange((call) => call('changeRole', { personId, role }, { version }), {
    ...again,
    onDone: onClose,
  })
  return (
    <Dialog title={`Role of ${person.name}`} isOpen onClose={onClose}>
      <DialogForm
        change={changing}
        onSubmit={() => changing.mutate()}
        onClose={onClose}
        action="Change role"
        isDisabled={role === person.role}
      >
        <Select label="Role" options={roles} value={role} onChange={setRole} />
        <p className="dim consequence">It holds from their next click on. One-time links that they made end.</p>
      </DialogForm>
    </Dialog>
  )
}

export function Reset({ person, onClose }: OfPerson) {
  const [made, setMade] = useState<NewInvitation>()
  const { personId, version } = person
  const resetting = useChange((call) => call('resetPerson', { personId }, { version }), { ...again, onDone: setMade })
  if (made) return <OneTimeLink title={`Send this link to ${person.name}`} made={made} onClose={onClose} />
  return (
    <Dialog title={`Reset the sign-in of ${person.name}?`} isOpen onClose={onClose}>
      <p>
        They are signed out everywhere. Password, authenticator app and recovery codes are deleted, and they choose new
        ones by a link that you send them.
      </p>
      <Feet error={resetting.error} onClose={onClose}>
        <Button kind="danger" onPress={() => resetting.mutate()} isDisabled={resetting.isPending}>
          Reset
        </Button>
      </Feet>
    </Dialog>
  )
}

export function Remove({ person, onClose }: OfPerson) {
  const { personId, version } = person
  const removing = useChange((call) => call('removePerson', { personId }, { version }), { ...again, onDone: onClose })
  return (
    <Dialog title={`Remove ${person.name}?`} isOpen onClose={onClose}>
      <p>They lose access at once. One-time links that they made end. What they did stays in the audit log.</p>
      <Feet error={removing.error} onClose={onClose}>
        <Button kind="danger" onPress={() => removing.mutate()} isDisabled={removing.isPending}>
          Remove
        </Button>
      </Feet>
    </Dialog>
  )
}

export function Withdraw({ invitation, onClose }: { invitation: ListedInvitation; onClose: () => void }) {
  const { invitationId } = invitation
  const withdrawing = useChange((call) => call('withdrawInvitation', { invitationId }), { ...again, onDone: onClose })
  return (
    <Dialog title="Withdraw this link?" isOpen onClose={onClose}>
      <p>Nobody can use it any more.</p>
      <Feet error={withdrawing.error} onClose={onClose}>
        <Button kind="danger" onPress={() => withdrawing.mutate()} isDisabled={withdrawing.isPending}>
          Withdraw
        </Button>
      </Feet>
    </Dialog>
  )
}
