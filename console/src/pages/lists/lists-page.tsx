// Which lists do rules read? Each with its kind, its purpose, and who changed it last.

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { List } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Link } from '../../parts/link.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { listKinds, listName, purposes } from './list-words.ts'
import { ReadBy } from './read-by.tsx'
import { isIdle } from './readers.ts'
import { useListReaders } from './use-readers.ts'
import './lists.css'

const purposeTones = { block: 'red', allow: 'green', watch: 'amber' } as const

/** Amber: it does less than it says, since no rule reads it. */
export const Purpose = ({ purpose, idle = false }: { purpose: keyof typeof purposes; idle?: boolean }) => (
  <Badge tone={idle ? 'amber' : purposeTones[purpose]}>{purposes[purpose]}</Badge>
)

export function ListsPage() {
  const mayWrite = useMay()('lists.write')
  const [isCreating, setCreating] = useState(false)
  const answer = useRead('describeLists', {})
  const create = mayWrite && (
    <Button kind="primary" onPress={() => setCreating(true)}>
      New list
    </Button>
  )
  return (
    <>
      <PageHead
        title={texts.pages.lists}
        under="Values that rules look up, such as blocked numbers or watched devices."
      >
        {create}
      </PageHead>
      <Answer of={answer}>
        {(data) =>
          data.lists.length === 0 ? (
            <Empty icon="lists" title="No lists yet" action={create}>
              A list holds values that rules look up. A rule that blocks its numbers reads
              <pre>inList("blocked-numbers", request.phoneNumber)</pre>
            </Empty>
          ) : (
            <ListTable lists={data.lists} />
          )
        }
      </Answer>
      <NewList isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}

function ListTable({ lists }: { lists: readonly List[] }) {
  const readersOf = useListReaders()
  return (
    <div className="table-frame">
      <Table head={{ Name: 'name', Purpose: '', Values: 'wide', 'Read by': '', Entries: 'number', Changed: 'wide' }}>
        {lists.map(({ name, kind, purpose, description, entries, changedAt }) => (
          <tr key={name}>
            <td>
              <Link to="/lists/$name" params={{ name }}>
                {name}
              </Link>
              {description && <p className="dim">{description}</p>}
            </td>
            <td>
              <Purpose purpose={purpose} idle={isIdle({ purpose }, readersOf?.(name))} />
            </td>
            <td className="wide">{listKinds[kind]}</td>
            <td className="list-read-by">
              <ReadBy list={{ name, purpose }} readers={readersOf?.(name)} />
            </td>
            <td className="number figures">{entries.toLocaleString(locale)}</td>
            <td className="wide dim">
              <Time at={changedAt} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}

function NewList({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<List['kind']>('phoneNumber')
  const [purpose, setPurpose] = useState<List['purpose']>('block')
  const [description, setDescription] = useState('')
  const creating = useChange(
    (call) => call('createList', { name, kind, purpose, description: description || undefined }),
    {
      reads: ['describeLists'],
      onDone() {
        onClose()
        void navigate({ to: '/lists/$name', params: { name } })
      },
    },
  )
  return (
    <Dialog title="New list" isOpen={isOpen} onClose={onClose}>
      <DialogForm change={creating} onSubmit={() => creating.mutate()} onClose={onClose} action="Create">
        <TextField {...listName} value={name} onChange={setName} autoFocus isRequired />
        <Select label="Values" options={listKinds} value={kind} onChange={setKind} />
        <Select label="Purpose" options={purposes} value={purpose} onChange={setPurpose} />
        <TextField label="Description" value={description} onChange={setDescription} maxLength={500} />
      </DialogForm>
    </Dialog>
  )
}
