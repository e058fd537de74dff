// Why is a value in the list, and until when? A person changes both.

import { useState } from 'react'
import type { ListPage } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { exactTime } from '../../parts/values/time.tsx'
import { listReads } from './list-words.ts'
import './lists.css'

type Entry = ListPage['entries'][number]

interface EntryDialogProps {
  name: string
  entry: Entry | undefined
  onClose: () => void
}

export function EntryDialog({ name, entry, onClose }: EntryDialogProps) {
  return (
    <Dialog title="Change an entry" isOpen={entry !== undefined} onClose={onClose}>
      {entry && <EntryForm key={entry.value} name={name} entry={entry} onClose={onClose} />}
    </Dialog>
  )
}

/** `datetime-local` has minutes, in the time zone of the person. */
const localText = (iso: string | undefined): string => {
  if (iso === undefined) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function EntryForm({ name, entry, onClose }: EntryDialogProps & { entry: Entry }) {
  const { value, by, addedAt } = entry
  const [note, setNote] = useState(entry.note ?? '')
  const [expires, setExpires] = useState(localText(entry.expiresAt))
  const changing = useChange(
    (call) => {
      const isKept = expires === localText(entry.expiresAt)
      const expiresAt = isKept ? entry.expiresAt : expires === '' ? undefined : new Date(expires).toISOString()
      const changed = { value, ...(note !== '' && { note }), ...(expiresAt !== undefined && { expiresAt }) }
      return call('addListEntries', { name, entries: [changed] })
    },
    { reads: listReads, onDone: onClose },
  )
  return (
    <DialogForm
      className="change-entry"
      change={changing}
      onSubmit={() => changing.mutate()}
      onClose={onClose}
      action="Save"
    >
      <p>
        <code>{value}</code>
        <br />
        <span className="dim">
          Added {exactTime(addedAt)}, last changed by {by}
        </span>
      </p>
      <TextField label="Note" value={note} onChange={setNote} maxLength={200} />
      <TextField
        label="Expires"
        type="datetime-local"
        value={expires}
        onChange={setExpires}
        description="Empty: it does not expire"
      />
    </DialogForm>
  )
}
