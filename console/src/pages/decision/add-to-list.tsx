// How does a value of a decision get into a list? Choose the value and a list of its kind, or a new one; the note names the decision.

import { useState } from 'react'
import type { InvestigatedDecision, List } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Link } from '../../parts/link.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import { type Lifetime, lifetimes, listReads, newEntry } from '../lists/list-words.ts'
import { IdleList } from '../lists/read-by.tsx'
import { useListReaders } from '../lists/use-readers.ts'
import { useListChoice } from '../subject/list-choice.tsx'
import { valuesForLists } from './values-for-lists.ts'
import './decision.css'

interface AddToListProps {
  decision: InvestigatedDecision
  onClose: () => void
}

export function AddToList(props: AddToListProps) {
  const answer = useRead('describeLists', {})
  const kinds = new Set(answer.data?.lists.map(({ kind }) => kind))
  // Values that a list takes already come first.
  const values = valuesForLists(props.decision).toSorted(
    (a, b) => Number(kinds.has(b.kind)) - Number(kinds.has(a.kind)),
  )
  return (
    <Dialog title="Add to a list" isOpen onClose={props.onClose}>
      <Answer of={answer} lines={4} isStrict>
        {(data) =>
          values.length === 0 ? (
            <Empty icon="lists" title="No list takes a value of this decision">
              Lists hold users, phone numbers, devices, IP addresses, network operators, email domains and texts of your
              params.
            </Empty>
          ) : (
            <AddForm {...props} values={values} lists={data.lists} />
          )
        }
      </Answer>
    </Dialog>
  )
}

interface AddFormProps extends AddToListProps {
  values: ReturnType<typeof valuesForLists>
  lists: readonly List[]
}

function AddForm({ decision: { decisionId }, values, lists, onClose }: AddFormProps) {
  const [chosen, setChosen] = useState(0)
  const { kind, value } = values[chosen]!
  const choice = useListChoice(kind, lists)
  const readersOf = useListReaders()
  const [note, setNote] = useState(`Decision ${decisionId}`)
  const [lifetime, setLifetime] = useState<Lifetime>('forever')
  const adding = useChange(
    async (call) => {
      const list = await choice.chosen()
      await call('addListEntries', { name: list.name, entries: [newEntry(value, note, lifetime)] })
      return list
    },
    { reads: listReads },
  )
  if (adding.isSuccess) {
    const { name, purpose } = adding.data
    const readers = readersOf?.(name)
    return (
      <Empty icon="check" title={`Added to ${name}`} action={<Button onPress={onClose}>{texts.common.close}</Button>}>
        {readers && readers.length > 0 && `${readers.join(', ')}: found within a second. `}
        <IdleList list={{ name, purpose }} readers={readers} />
        <Link to="/lists/$name" params={{ name }}>
          See the list
        </Link>
      </Empty>
    )
  }
  return (
    <DialogForm
      className="add-to-list"
      change={adding}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
      action="Add"
      isDisabled={!choice.isComplete}
    >
      <Select
        label="Value"
        options={Object.fromEntries(values.map((each, i) => [String(i), `${each.name}: ${each.value}`]))}
        value={String(chosen)}
        onChange={(next) => setChosen(Number(next))}
      />
      {choice.fields}
      <Select label="For" options={lifetimes} value={lifetime} onChange={setLifetime} />
      <TextField label="Note" value={note} onChange={setNote} maxLength={200} />
    </DialogForm>
  )
}
