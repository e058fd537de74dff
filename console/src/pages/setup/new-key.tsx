// How is a client key made? With what it may do, from where, and until when.

import { useState } from 'react'
import type { RequestOf } from '../../api/call.ts'
import type { IssuedClient } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { Checks } from '../../parts/forms/checks.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { linesOf } from '../../parts/forms/text-area.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { inDays } from '../../parts/values/time-text.ts'
import { useRoleOptions } from '../people/roles/role-options.ts'

type Scope = NonNullable<RequestOf<'createClient'>['scopes']>[number]

const scopeNames: Readonly<Record<Scope, string>> = {
  decisions: 'Decisions',
  reviews: 'Reviews',
  telecom: 'Phone number checks',
  tokens: 'Tokens',
  device: 'Device reports',
  labels: 'Labels',
  events: 'Event search',
  lists: 'Lists',
  messages: 'Messages',
  admin: 'Devices of users, admin API',
}

const extents = { everything: 'Every call of a backend', scopes: 'Only some calls' } as const
const noRole = 'none'
const lifetimes = { never: 'Never', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' } as const

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (issued: IssuedClient) => void }) {
  const [name, setName] = useState('')
  const [extent, setExtent] = useState<keyof typeof extents>('everything')
  const [scopes, setScopes] = useState<Scope[]>(['decisions'])
  const [role, setRole] = useState(noRole)
  const [allowedIps, setAllowedIps] = useState('')
  const [lifetime, setLifetime] = useState<keyof typeof lifetimes>('never')
  const { owner: _, ...roles } = useRoleOptions()
  const making = useChange(
    (call) => {
      const ips = linesOf(allowedIps)
      const chosen = role === noRole ? scopes : [...new Set([...scopes, 'admin' as const])]
      return call('createClient', {
        name,
        ...(extent === 'scopes' && { scopes: chosen }),
        ...(role !== noRole && { role }),
        ...(ips.length > 0 && { allowedIps: ips }),
        ...(lifetime !== 'never' && { expiresAt: inDays(Number(lifetime)) }),
      })
    },
    {
      reads: ['listClients'],
      onDone(issued) {
        onMade(issued)
        onClose()
      },
    },
  )
  return (
    <Dialog title="New client key" isOpen onClose={onClose}>
      <DialogForm
        change={making}
        onSubmit={() => making.mutate()}
        onClose={onClose}
        action="Make the key"
        isDisabled={extent === 'scopes' && scopes.length === 0}
      >
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          autoFocus
          isRequired
          maxLength={100}
          placeholder="checkout"
          description="Which backend uses it"
        />
        <Select label="May make" options={extents} value={extent} onChange={setExtent} />
        {extent === 'scopes' && <Checks label="Calls" options={scopeNames} value={scopes} onChange={setScopes} />}
        <Select label="Admin API" options={{ [noRole]: 'No admin API', ...roles }} value={role} onChange={setRole} />
        <TextField
          label="Only from these IP addresses"
          value={allowedIps}
          onChange={setAllowedIps}
          placeholder="From everywhere"
          description="Addresses or ranges, separated by commas: 203.0.113.0/24"
        />
        <Select label="Ends" options={lifetimes} value={lifetime} onChange={setLifetime} />
      </DialogForm>
    </Dialog>
  )
}
