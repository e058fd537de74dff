// What is in a list? Its entries with who added them and until when, and forms that add and remove some.

import { useParams } from '@tanstack/react-router'
import { type ComponentProps, useCallback, useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { List, ListPage as ListEntries } from '../../api/types.ts'
import { useChange, usePages, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { ListTransfer } from './import/list-transfer.tsx'
import { type Lifetime, lifetimes, listKinds, listReads, newEntry } from './list-words.ts'
import { Purpose } from './lists-page.tsx'
import { LookUp } from './look-up.tsx'
import { IdleList } from './read-by.tsx'
import { isIdle } from './readers.ts'
import { useListReaders } from './use-readers.ts'
import './lists.css'

export function ListPage() {
  const { name } = useParams({ from: '/lists/$name' })
  const mayWrite = useMay()('lists.write')
  const described = useRead('describeLists', { name })
  const entries = usePages('readList', { name, limit: 500 }, (pages) => pages.flatMap((page) => page.entries))
  const [edited, setEdited] = useState<Entry>()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = entries
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const list = described.data?.lists[0]
  const readers = useListReaders()?.(name)
  const error = described.error ?? entries.error
  if (error) return <Failed error={error} onRetry={() => void Promise.all([described.refetch(), entries.refetch()])} />
  if (!list || !entries.data) return <Loading />
  return (
    <>
      <PageHead
        over="List"
        title={name}
        beside={<Purpose purpose={list.purpose} idle={isIdle(list, readers)} />}
        under={
          <>
            <span>{listKinds[list.kind]}</span>
            <span className="figures">
              {list.entries === 1 ? '1 entry' : `${list.entries.toLocaleString(locale)} entries`}
            </span>
            {readers && readers.length > 0 && <span>Read by {readers.join(', ')}</span>}
            {list.description && <span>{list.description}</span>}
          </>
        }
      >
        {mayWrite && <ListTransfer name={name} />}
      </PageHead>
      <IdleList list={list} readers={readers} />
      {entries.data.length > 0 && <LookUp name={name} />}
      {mayWrite && <AddEntry list={list} />}
      {entries.data.length === 0 ? (
        <Empty icon="lists" title="The list is empty">
          Rules that look up values in it find nothing. Add the first one above, or import a file.
        </Empty>
      ) : (
        <div className="table-frame">
          <Table
            head={{
              Value: '',
              Note: 'wide',
              'Added by': 'wide',
              Added: 'wide',
              Expires: '',
              ...(mayWrite && { 'Change or remove': 'hidden' }),
            }}
          >
            <VirtualRows rows={entries.data} columns={mayWrite ? 6 : 5} rowHeight={42} onEnd={readMore}>
              {(entry, measured) => (
                <EntryRow
                  key={entry.value}
                  list={name}
                  entry={entry}
                  mayWrite={mayWrite}
                  measured={measured}
                  onEdit={setEdited}
                />
              )}
            </VirtualRows>
          </Table>
        </div>
      )}
      <EntryDialog name={name} entry={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}

type Entry = ListEntries['entries'][number]

interface EntryRowProps {
  list: string
  entry: Entry
  mayWrite: boolean
  measured: ComponentProps<'tr'>
  onEdit: (entry: Entry) => void
}

function EntryRow({ list, entry, mayWrite, measured, onEdit }: EntryRowProps) {
  const { value, note, by, addedAt, expiresAt, neverMatches } = entry
  return (
    <tr {...measured}>
      <td>
        <code>{value}</code>
        {neverMatches && <p className="dim">Never matches: remove it, then add its present form</p>}
      </td>
      <td className="wide">{note}</td>
      <td className="wide">{by}</td>
      <td className="wide dim">
        <Time at={addedAt} />
      </td>
      <td className="dim">{expiresAt ? <Time at={expiresAt} /> : 'Never'}</td>
      {mayWrite && (
        <td className="number list-buttons">
          <Button
            kind="quiet"
            aria-label={`Edit ${value}`}
            onPress={() => onEdit({ value, by, addedAt, ...(note && { note }), ...(expiresAt && { expiresAt }) })}
          >
            Edit
          </Button>
          <RemoveEntry name={list} value={value} />
        </td>
      )}
    </tr>
  )
}

function AddEntry({ list: { name, kind } }: { list: List }) {
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('forever')
  const adding = useChange((call) => call('addListEntries', { name, entries: [newEntry(value, note, lifetime)] }), {
    reads: listReads,
    onDone() {
      setValue('')
      setNote('')
    },
  })
  return (
    <SubmitForm className="add-entry" onSubmit={() => adding.mutate()}>
      <TextField
        label="Value"
        value={value}
        onChange={setValue}
        isRequired
        maxLength={256}
        placeholder={listKinds[kind]}
      />
      <TextField label="Note" value={note} onChange={setNote} maxLength={200} placeholder="Why it is in the list" />
      <Select label="For" options={lifetimes} value={lifetime} onChange={setLifetime} />
      <Button kind="primary" type="submit" isDisabled={adding.isPending}>
        Add
      </Button>
      {adding.error && <CallError error={adding.error} />}
    </SubmitForm>
  )
}

function RemoveEntry({ name, value }: { name: string; value: string }) {
  const removing = useChange((call) => call('removeListEntries', { name, values: [value] }), { reads: listReads })
  return (
    <Button
      kind="quiet"
      square
      aria-label={`Remove ${value}`}
      isDisabled={removing.isPending}
      onPress={() => removing.mutate()}
    >
      <Icon name="close" size={14} />
    </Button>
  )
}
