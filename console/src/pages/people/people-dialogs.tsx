// What changes on the page People? Each change in a dialog that says what follows from it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RequestOf } from '../../api/call.ts'
import { useSession } from '../../api/session.tsx'
import type { ListedInvitation, ListedPerson, NewInvitation } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Feet } from '../../parts/forms/feet.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { Time } from '../../parts/time.tsx'
import { useRoleOptions } from './roles/role-options.ts'

function useChange<Request, Answer>(change: (request: Request) => Promise<Answer>, onDone: (answer: Answer) => void) {
  const queries = useQueryClient()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['listPeople'] }),
      queries.invalidateQueries({ queryKey: ['listInvitations'] }),
    ])
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      onDone(answer)
      await refresh()
    },
    onError: refresh,
  })
}

export function Invite({ onClose }: { onClose: () => void }) {
  const { call } = useSession()
  const roles = useRoleOptions()
  const [role, setRole] = useState('analyst')
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<NewInvitation>()
  const inviting = useChange((request: RequestOf<'invite'>) => call('invite', request), setMade)
  if (made) return <OneTimeLink title="Send this link" made={made} onClose={onClose} />
  return (
    <Dialog title="Invite somebody" isOpen onClose={onClose}>
      <DialogForm
        change={inviting}
        onSubmit={() => inviting.mutate({ role, email: email || undefined })}
        onClose={onClose}
        action="Make a link"
      >
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
  const { call } = useSession()
  const roles = useRoleOptions()
  const [role, setRole] = useState(person.role)
  const { personId, version } = person
  const changing = useChange(() => call('changeRole', { personId, role }, { version }), onClose)
  return (
    <Dialog title={`Role of ${person.name}`} isOpen onClose={onClose}>
      <DialogForm
        change={changing}
        onSubmit={() => changing.mutate(undefined)}
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
  const { call } = useSession()
  const [made, setMade] = useState<NewInvitation>()
  const { personId, version } = person
  const resetting = useChange(() => call('resetPerson', { personId }, { version }), setMade)
  if (made) return <OneTimeLink title={`Send this link to ${person.name}`} made={made} onClose={onClose} />
  return (
    <Dialog title={`Reset the sign-in of ${person.name}?`} isOpen onClose={onClose}>
      <p>
        They are signed out everywhere. Password, authenticator app and recovery codes are deleted, and they choose new
        ones by a link that you send them.
      </p>
      <Feet error={resetting.error} onClose={onClose}>
        <Button kind="danger" onPress={() => resetting.mutate(undefined)} isDisabled={resetting.isPending}>
          Reset
        </Button>
      </Feet>
    </Dialog>
  )
}

export function Remove({ person, onClose }: OfPerson) {
  const { call } = useSession()
  const { personId, version } = person
  const removing = useChange(() => call('removePerson', { personId }, { version }), onClose)
  return (
    <Dialog title={`Remove ${person.name}?`} isOpen onClose={onClose}>
      <p>They lose access at once. One-time links that they made end. What they did stays in the audit log.</p>
      <Feet error={removing.error} onClose={onClose}>
        <Button kind="danger" onPress={() => removing.mutate(undefined)} isDisabled={removing.isPending}>
          Remove
        </Button>
      </Feet>
    </Dialog>
  )
}

export function Withdraw({ invitation, onClose }: { invitation: ListedInvitation; onClose: () => void }) {
  const { call } = useSession()
  const { invitationId } = invitation
  const withdrawing = useChange(() => call('withdrawInvitation', { invitationId }), onClose)
  return (
    <Dialog title="Withdraw this link?" isOpen onClose={onClose}>
      <p>Nobody can use it any more.</p>
      <Feet error={withdrawing.error} onClose={onClose}>
        <Button kind="danger" onPress={() => withdrawing.mutate(undefined)} isDisabled={withdrawing.isPending}>
          Withdraw
        </Button>
      </Feet>
    </Dialog>
  )
}
