// How is a role made, changed and removed? With a name, what it is for, and the permissions that one has oneself.

import { useState } from 'react'
import { CheckboxGroup } from 'react-aria-components'
import type { AnswerOf } from '../../../api/call.ts'
import { useMay } from '../../../api/session.tsx'
import type { ListedRole } from '../../../api/types.ts'
import { useChange } from '../../../api/use-call.ts'
import { Button } from '../../../parts/button.tsx'
import { Select, TextField } from '../../../parts/field.tsx'
import { GroupedCheck } from '../../../parts/forms/checks.tsx'
import { DialogForm } from '../../../parts/forms/dialog-form.tsx'
import { Feet } from '../../../parts/forms/feet.tsx'
import { Dialog } from '../../../parts/overlay.tsx'
import { texts } from '../../../texts.ts'
import { allowsOf, inGroups } from './permission-groups.ts'
import '../people.css'
import './roles.css'

type Permission = ListedRole['permissions'][number]

interface RoleDialogProps {
  all: AnswerOf<'listRoles'>
  /** Absent: a new one. */
  role?: ListedRole
  onClose: () => void
}

export function RoleDialog({ all, role, onClose }: RoleDialogProps) {
  const may = useMay()
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(role?.description ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(role?.permissions ?? [])
  const saving = useChange(
    (call): Promise<unknown> => {
      const permissions = chosen as Permission[]
      return role
        ? call('editRole', { name, description, permissions }, { version: role.version! })
        : call('createRole', { name, description, permissions })
    },
    { reads: ['listRoles'], readsAlways: true, onDone: onClose },
  )
  const mine = all.permissions.filter((each) => may(each.name))
  const copy = (from: string) => {
    const found = all.roles.find((each) => each.name === from)
    setChosen((found?.permissions ?? []).filter((each) => may(each)))
  }
  return (
    <Dialog title={role ? texts.people.roleOf(role.name) : texts.people.newRole} isOpen onClose={onClose}>
      <DialogForm
        className="role-form"
        change={saving}
        onSubmit={() => saving.mutate()}
        onClose={onClose}
        action={role ? 'Save' : 'Make the role'}
      >
        {!role && (
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            autoFocus
            isRequired
            maxLength={32}
            pattern="[a-z][a-z0-9\-]*"
            placeholder="fraud-lead"
            description="Lower-case letters, digits and hyphens"
          />
        )}
        <TextField label="What it is for" value={description} onChange={setDescription} maxLength={200} />
        {!role && (
          <Select
            label="Start from"
            options={Object.fromEntries(all.roles.map((each) => [each.name, each.name]))}
            value={undefined}
            onChange={copy}
            placeholder="Nothing"
          />
        )}
        <CheckboxGroup
          className="role-permissions"
          aria-label={texts.people.permissions}
          value={[...chosen]}
          onChange={setChosen}
        >
          {inGroups(mine).map(({ area, permissions }) => (
            <div key={area}>
              <h3>{area}</h3>
              {permissions.map((each) => (
                <GroupedCheck key={each.name} value={each.name}>
                  {allowsOf(each)}
                </GroupedCheck>
              ))}
            </div>
          ))}
        </CheckboxGroup>
        {role && <p className="dim consequence">{texts.people.roleChange(role.people, role.keys)}</p>}
      </DialogForm>
    </Dialog>
  )
}

export function RemoveRole({ role, onClose }: { role: ListedRole; onClose: () => void }) {
  const removing = useChange((call) => call('removeRole', { name: role.name }, { version: role.version! }), {
    reads: ['listRoles'],
    readsAlways: true,
    onDone: onClose,
  })
  return (
    <Dialog title={`Remove the role ${role.name}?`} isOpen onClose={onClose}>
      <p>{texts.people.removeRoleHelp}</p>
      <Feet error={removing.error} onClose={onClose}>
        <Button kind="danger" onPress={() => removing.mutate()} isDisabled={removing.isPending}>
          Remove
        </Button>
      </Feet>
    </Dialog>
  )
}
