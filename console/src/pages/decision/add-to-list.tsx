// How does a value of a decision get into a list? Choose the value and a list of its kind; the note names the decision.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { reading, useSession } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import { valuesForLists } from './values-for-lists.ts'

const lifetimes = { forever: 'Permanently', '1': '1 day', '7': '7 days', '30': '30 days', '90': '90 days' } as const
type Lifetime = keyof typeof lifetimes
const dayMs = 24 * 3_600_000

export interface AddToListProps {
  decision: InvestigatedDecision
  onClose: () => void
}

export function AddToList(props: AddToListProps) {
  const { call } = useSession()
  const { data, error, refetch } = useQuery(reading(call, 'describeLists', {}))
  const kinds = new Set(data?.lists.map(({ kind }) => kind))
  const values = valuesForLists(props.decision).filter(({ kind }) => kinds.has(kind))
  return (
    <Dialog title="Add to a list" isOpen onClose={props.onClose}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading lines={4} />
      ) : values.length === 0 ? (
        <Empty
          icon="lists"
          title="No list takes a value of this decision"
          action={<Link to="/lists">See the lists</Link>}
        >
          Make a list of users, phone numbers, devices or IP addresses first.
        </Empty>
      ) : (
        <AddForm {...props} values={values} lists={data.lists} />
      )}
    </Dialog>
  )
}

interface AddFormProps extends AddToListProps {
  values: ReturnType<typeof valuesForLists>
  lists: readonly { name: string; kind: string }[]
}

function AddForm({ decision: { decisionId }, values, lists, onClose }: AddFormProps) {
  const { call } = useSession()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState(0)
  const { kind, value } = values[chosen]!
  const fitting = lists.filter((list) => list.kind === kind)
  const [listName, setListName] = useState<string>()
  const name = fitting.find((list) => list.name === listName)?.name ?? fitting[0]!.name
  const [note, setNote] = useState(`Decision ${decisionId}`)
  const [lifetime, setLifetime] = useState<Lifetime>('forever')
  const adding = useMutation({
    mutationFn: () => {
      const expiresAt =
        lifetime === 'forever' ? undefined : new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
      return call('addListEntries', {
        name,
        entries: [{ value, ...(note !== '' && { note }), ...(expiresAt !== undefined && { expiresAt }) }],
      })
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['readList', name] }),
        queries.invalidateQueries({ queryKey: ['describeLists'] }),
      ]),
  })
  if (adding.isSuccess) {
    return (
      <Empty icon="check" title={`Added to ${name}`} action={<Button onPress={onClose}>{texts.common.close}</Button>}>
        Rules that read the list find it within a second.{' '}
        <Link to="/lists/$name" params={{ name }}>
          See the list
        </Link>
      </Empty>
    )
  }
  return (
    <Form
      className="add-to-list"
      onSubmit={(event) => {
        event.preventDefault()
        adding.mutate()
      }}
    >
      <Select
        label="Value"
        options={Object.fromEntries(values.map((each, i) => [String(i), `${each.name}: ${each.value}`]))}
        value={String(chosen)}
        onChange={(next) => setChosen(Number(next))}
      />
      <Select
        label="List"
        options={Object.fromEntries(fitting.map((list) => [list.name, list.name]))}
        value={name}
        onChange={setListName}
      />
      <Select label="For" options={lifetimes} value={lifetime} onChange={setLifetime} />
      <TextField label="Note" value={note} onChange={setNote} maxLength={200} />
      {adding.error && <Failed error={adding.error} />}
      <footer>
        <Button onPress={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" isDisabled={adding.isPending}>
          Add
        </Button>
      </footer>
    </Form>
  )
}
