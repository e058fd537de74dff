// How does a value get into a list? A dialog names the lists of its kind.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { reading, useMay, useSession } from '../../api/session.tsx'
import type { List } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'

export function AddToList({ kind, value }: { kind: List['kind']; value: string }) {
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
          value={value}
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
  value: string
  /** Without a list when nothing was added. */
  onDone: (list?: string) => void
}

function AddForm({ kind, value, onDone }: AddFormProps) {
  const { call } = useSession()
  const queries = useQueryClient()
  const { data, error } = useQuery(reading(call, 'describeLists', {}))
  const [name, setName] = useState<string>()
  const [note, setNote] = useState('')
  const adding = useMutation({
    mutationFn: (list: string) =>
      call('addListEntries', { name: list, entries: [{ value, ...(note !== '' && { note }) }] }),
    onSuccess: async (_, list) => {
      await queries.invalidateQueries({ queryKey: ['readList', list] })
      onDone(list)
    },
  })
  if (error) return <Failed error={error} />
  if (!data) return <Loading lines={3} />
  const lists = data.lists.filter((list) => list.kind === kind)
  if (lists.length === 0) {
    return <p className="dim">There is no list for values of this kind yet. Create one on the page Lists.</p>
  }
  const options = Object.fromEntries(lists.map((list) => [list.name, `${list.name} (${list.purpose})`]))
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        if (name !== undefined) adding.mutate(name)
      }}
    >
      <Select label="List" options={options} value={name} onChange={setName} placeholder="Choose a list" />
      <TextField label="Note" value={note} onChange={setNote} maxLength={200} placeholder="Why it is in the list" />
      {adding.error && <Failed error={adding.error} />}
      <footer>
        <Button onPress={() => onDone()}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" isDisabled={name === undefined || adding.isPending}>
          Add
        </Button>
      </footer>
    </Form>
  )
}
