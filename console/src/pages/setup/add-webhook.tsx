// How is a webhook added? With a URL, and the events that it receives.

import { useState } from 'react'
import type { AddedWebhook } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { Checks } from '../../parts/forms/checks.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Dialog } from '../../parts/overlay.tsx'

const groups = {
  'decision.*': 'Decisions and reviews',
  'sign_in.*': 'Sign-ins',
  'otp.*': 'Messages with codes',
  'device.*': 'Device reports',
  'telecom.*': 'Phone number checks',
  'label.*': 'Labels',
  'rules.*': 'Changes of rules',
  'list.*': 'Changes of lists',
  'account.*': 'Devices of users',
  'token.*': 'Tokens',
} as const
type Group = keyof typeof groups

const extents = { all: 'Everything that is always recorded', some: 'Only some' } as const

export function AddWebhook({ onClose, onAdded }: { onClose: () => void; onAdded: (added: AddedWebhook) => void }) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [extent, setExtent] = useState<keyof typeof extents>('some')
  const [types, setTypes] = useState<Group[]>(['decision.*'])
  const adding = useChange(
    (call) =>
      call('addWebhook', { url, types: extent === 'all' ? ['*'] : types, description: description || undefined }),
    {
      reads: ['listWebhooks'],
      onDone(added) {
        onAdded(added)
        onClose()
      },
    },
  )
  return (
    <Dialog title="Add a webhook" isOpen onClose={onClose}>
      <DialogForm
        change={adding}
        onSubmit={() => adding.mutate()}
        onClose={onClose}
        action="Add"
        isDisabled={extent === 'some' && types.length === 0}
      >
        <TextField
          label="URL"
          value={url}
          onChange={setUrl}
          autoFocus
          isRequired
          maxLength={2048}
          inputMode="url"
          placeholder="https://shop.example/hooks"
          description="https, with a public IP address"
        />
        <TextField
          label="Description"
          value={description}
          onChange={setDescription}
          maxLength={200}
          placeholder="What receives it"
        />
        <Select label="Events" options={extents} value={extent} onChange={setExtent} />
        {extent === 'some' && <Checks label="Groups" options={groups} value={types} onChange={setTypes} />}
      </DialogForm>
    </Dialog>
  )
}
