// How does a value get into a list? A dialog names the lists of its kind, and makes a new one.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { List } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { listReads, newEntry } from '../lists/list-words.ts'
import { useListChoice } from './list-choice.tsx'
import './subject.css'

export const AddToList = ({ kind, value }: { kind: List['kind']; value: string }) => (
  <AddAllToList kind={kind} values={[value]} />
)

/** Several values of one kind. */
export function AddAllToList({ kind, values }: { kind: List['kind']; values: readonly string[] }) {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const [addedTo, setAddedTo] = useState<string>()
  if (!may('lists.write')) return null
  return (
    <>
      <Button onPress={() => setOpen(true)}>{addedTo === undefined ? 'Add to list' : `Added to ${addedTo}`}</Button>
      <Dialog title="Add to a list" isOpen={isOpen} onClose={() => setOpen(false)}>
        <AddForm
          kind={kind}
          values={values}
          onDone={(list) => {
            setAddedTo(list ?? addedTo)
            setOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}

interface AddFormProps {
  kind: List['kind']
  values: readonly string[]
  /** Without a list when nothing was added. */
  onDone: (list?: string) => void
}

function AddForm(props: AddFormProps) {
  const { data, error, refetch } = useRead('describeLists', {})
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  return data ? <AddTo {...props} lists={data.lists} /> : <Loading lines={3} />
}

function AddTo({ kind, values, onDone, lists }: AddFormProps & { lists: readonly List[] }) {
  const choice = useListChoice(kind, lists)
  const [note, setNote] = useState('')
  const adding = useChange(
    async (call) => {
      const { name } = await choice.chosen()
      await call('addListEntries', { name, entries: values.map((value) => newEntry(value, note)) })
      return name
    },
    { reads: listReads, onDone },
  )
  return (
    <DialogForm
      change={adding}
      onSubmit={() => adding.mutate()}
      onClose={() => onDone()}
      action="Add"
      isDisabled={!choice.isComplete}
    >
      {choice.fields}
      <TextField label="Note" value={note} onChange={setNote} maxLength={200} placeholder="Why it is in the list" />
    </DialogForm>
  )
}
