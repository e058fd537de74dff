// Which list does a value go into? One of its kind, or a new one, which is created first.

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import type { List } from '../../api/types.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { listKinds, listName, purposes } from '../lists/list-words.ts'
import { isIdle } from '../lists/readers.ts'
import { useListReaders } from '../lists/use-readers.ts'
import './subject.css'

/** No list has such a name. */
const newList = '+'

interface ListChoice {
  /** For the form: the list, and name and purpose of a new one. */
  readonly fields: ReactNode
  readonly isComplete: boolean
  /** The list, which exists from then on. */
  readonly chosen: () => Promise<Pick<List, 'name' | 'purpose'>>
}

/** Chosen already when there is only one, or none but a new one. */
export function useListChoice(
  kind: List['kind'],
  lists: readonly Pick<List, 'name' | 'kind' | 'purpose'>[],
): ListChoice {
  const { call } = useSession()
  const queries = useQueryClient()
  const readersOf = useListReaders()
  const [picked, setPicked] = useState<string>()
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState<List['purpose']>('block')
  const fitting = lists.filter((list) => list.kind === kind)
  const isOffered = picked === newList || fitting.some((list) => list.name === picked)
  const only = fitting.length === 0 ? newList : fitting.length === 1 ? fitting[0]!.name : undefined
  const list = isOffered ? picked : only
  const wordsOf = (each: Pick<List, 'name' | 'purpose'>) =>
    `${purposes[each.purpose]}${isIdle(each, readersOf?.(each.name)) ? ', no rule reads it' : ''}`
  const options: Readonly<Record<string, string>> = {
    ...Object.fromEntries(fitting.map((each) => [each.name, `${each.name} (${wordsOf(each)})`])),
    [newList]: 'A new list…',
  }
  const fields = (
    <>
      {fitting.length === 0 ? (
        <p className="dim new-list-note">No list has {listKinds[kind].toLowerCase()} yet. Create one:</p>
      ) : (
        <Select label="List" options={options} value={list} onChange={setPicked} placeholder="Choose a list" />
      )}
      {list === newList && (
        <>
          <TextField {...listName} name="list" value={name} onChange={setName} isRequired />
          <Select label="Purpose" options={purposes} value={purpose} onChange={setPurpose} />
        </>
      )}
    </>
  )
  const chosen = async () => {
    const existing = fitting.find((each) => each.name === list)
    if (existing) return existing
    await call('createList', { name, kind, purpose })
    // When adding fails, the next attempt takes the list that exists now.
    setPicked(name)
    await queries.invalidateQueries({ queryKey: ['describeLists'] })
    return { name, purpose }
  }
  return { fields, isComplete: list === newList ? name !== '' : list !== undefined, chosen }
}
